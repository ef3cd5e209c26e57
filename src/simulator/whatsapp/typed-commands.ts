/**
 * Commands that a person types to the running stand-in for Meta's Cloud API: texts and identities of users, changes of
 * templates.
 */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { TypedCommand, TypedCommands } from "../command.ts";
import type { UserIdentity } from "./payloads.ts";
import type { WhatsappSim } from "./server.ts";
import type { SimTemplate } from "./templates.ts";

const CATEGORY = /^(AUTHENTICATION|UTILITY|MARKETING)$/;
const NOWHERE = phrase("simulator.typed.no_webhook");

const NOTICE_SECONDS = 86_400;

/** The commands that a person may type to the running stand-in. */
export const SIM_COMMANDS: TypedCommands<WhatsappSim> = new Map<string, TypedCommand<WhatsappSim>>([
  saying("mo", "text"),
  saying("reply", "reply"),
  saying("button", "button"),
  saying("choose", "list"),
  going("gone", (gone, id) => [...gone, id]),
  going("back", (gone, id) => gone.filter((each) => each !== id)),
  [
    "marketing",
    {
      words: "FROM stop|resume",
      run: (sim, rest) => {
        const [, from, value] = /^\+?(\d{6,15}) +(stop|resume)$/.exec(rest) ?? [];
        if (from === undefined) return phrase("simulator.typed.marketing");
        return sim.preference(from, value === "stop" ? "stop" : "resume") ? null : NOWHERE;
      },
    },
  ],
  [
    "template",
    {
      words: "NAME STATUS",
      run: ofTemplates(/^[A-Z_]{3,30}$/, phrase("simulator.typed.template"), changeTemplate),
    },
  ],
  [
    "announce",
    {
      words: "NAME CATEGORY",
      run: ofTemplates(CATEGORY, phrase("simulator.typed.announce"), announceMove),
    },
  ],
  [
    "quality",
    {
      words: "NAME SCORE",
      run: ofTemplates(/^(GREEN|YELLOW|RED|UNKNOWN)$/, phrase("simulator.typed.quality"), changeQuality),
    },
  ],
]);

/** A command that has a user say something to the number that posted last. */
function saying(name: string, by: UserIdentity): readonly [string, TypedCommand<WhatsappSim>] {
  const run: TypedCommand<WhatsappSim>["run"] = (sim, rest) => {
    const [, from, text] = /^\+?(\d{6,15}) +(.+)$/s.exec(rest) ?? [];
    if (from === undefined || text === undefined) return phrase("simulator.typed.text", { name });
    return sim.text(from, text, by) ? null : NOWHERE;
  };
  return [name, { words: "FROM TEXT", run }];
}

/** A command that changes which numbers do not exist. */
function going(
  name: string,
  change: (gone: readonly string[], id: string) => readonly string[],
): readonly [string, TypedCommand<WhatsappSim>] {
  const run: TypedCommand<WhatsappSim>["run"] = (sim, rest) => {
    if (!/^\d{1,20}$/.test(rest)) return phrase("simulator.typed.id", { name });
    sim.change({ gone: change(sim.settings().gone, rest) });
    return null;
  };
  return [name, { words: "ID", run }];
}

/** Does something to each template of a name, by a word that must fit `valid`. */
function ofTemplates(
  valid: RegExp,
  problem: Phrase,
  act: (sim: WhatsappSim, template: SimTemplate, word: string) => void,
): TypedCommand<WhatsappSim>["run"] {
  return (sim, rest) => {
    const [name = "", word = ""] = rest.split(/\s+/, 2);
    const found = sim.templates().filter((template) => template.name === name);
    if (found.length === 0 || !valid.test(word)) return problem;
    for (const template of found) act(sim, template, word);
    return null;
  };
}

/** Changes the status or the category of a template, and notifies the webhook as Meta does. */
function changeTemplate(sim: WhatsappSim, template: SimTemplate, word: string): void {
  const which = wordsFor(template);
  if (CATEGORY.test(word)) {
    change(sim, template, { category: word });
    sim.tell("template_category_update", {
      ...which,
      previous_category: template.category,
      new_category: word,
    });
  } else {
    change(sim, template, { status: word });
    sim.tell("message_template_status_update", { event: word, ...which, reason: "NONE" });
  }
}

/** Notifies the webhook that a template will get another category. */
function announceMove(sim: WhatsappSim, template: SimTemplate, word: string): void {
  sim.tell("template_category_update", {
    ...wordsFor(template),
    correct_category: word,
    new_category: template.category,
    category_update_timestamp: Math.floor(sim.nowMs() / 1000) + NOTICE_SECONDS,
  });
}

/** Changes the quality of a template, and notifies the webhook. */
function changeQuality(sim: WhatsappSim, template: SimTemplate, score: string): void {
  change(sim, template, { quality_score: { score } });
  sim.tell("message_template_quality_update", {
    ...wordsFor(template),
    previous_quality_score: template.quality_score.score,
    new_quality_score: score,
  });
}

function change(sim: WhatsappSim, changed: SimTemplate, changes: Partial<SimTemplate>): void {
  sim.setTemplates(sim.templates().map((each) => (each === changed ? { ...each, ...changes } : each)));
}

function wordsFor({ id, name, language }: SimTemplate) {
  return {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: language,
  };
}
