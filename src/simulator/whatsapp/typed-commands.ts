/**
 * Commands that a person types to the running stand-in for Meta's Cloud API: texts and identities of users, changes of
 * templates.
 */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { UserIdentity } from "./payloads.ts";
import type { WhatsappSim } from "./server.ts";
import type { SimTemplate } from "./templates.ts";

type SimCommand = {
  /** The arguments behind its name, for the help. */
  readonly words: string;
  /** Null when done, else what is wrong. */
  readonly run: (sim: WhatsappSim, rest: string) => Phrase | null;
};

const CATEGORIES: readonly string[] = ["AUTHENTICATION", "UTILITY", "MARKETING"];
const SCORES: readonly string[] = ["GREEN", "YELLOW", "RED", "UNKNOWN"];
const NOWHERE = phrase("simulator.typed.no_webhook");

/** The commands that a person may type to the running stand-in. */
export const SIM_COMMANDS: ReadonlyMap<string, SimCommand> = new Map<string, SimCommand>([
  [
    "mo",
    {
      words: "FROM TEXT",
      run: saying("text"),
    },
  ],
  [
    "reply",
    {
      words: "FROM TEXT",
      run: saying("reply"),
    },
  ],
  [
    "button",
    {
      words: "FROM TEXT",
      run: saying("button"),
    },
  ],
  [
    "choose",
    {
      words: "FROM TEXT",
      run: saying("list"),
    },
  ],
  [
    "gone",
    {
      words: "ID",
      run: (sim, rest) => {
        if (!/^\d{1,20}$/.test(rest)) return phrase("simulator.typed.id", { name: "gone" });
        sim.change({ gone: [...sim.settings().gone, rest] });
        return null;
      },
    },
  ],
  [
    "back",
    {
      words: "ID",
      run: (sim, rest) => {
        if (!/^\d{1,20}$/.test(rest)) return phrase("simulator.typed.id", { name: "back" });
        sim.change({ gone: sim.settings().gone.filter((id) => id !== rest) });
        return null;
      },
    },
  ],
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
      run: changeTemplate,
    },
  ],
  [
    "announce",
    {
      words: "NAME CATEGORY",
      run: announceMove,
    },
  ],
  [
    "quality",
    {
      words: "NAME SCORE",
      run: changeQuality,
    },
  ],
]);

const NAMES: Readonly<Record<UserIdentity, string>> = {
  text: "mo",
  reply: "reply",
  button: "button",
  list: "choose",
};

function saying(by: UserIdentity): SimCommand["run"] {
  return (sim, rest) => {
    const [, from, text] = /^\+?(\d{6,15}) +(.+)$/s.exec(rest) ?? [];
    if (from === undefined || text === undefined) return phrase("simulator.typed.text", { name: NAMES[by] });
    return sim.text(from, text, by) ? null : NOWHERE;
  };
}

/** Changes the status or the category of all templates of a name, and notifies the webhook as Meta does. */
function changeTemplate(sim: WhatsappSim, rest: string): Phrase | null {
  const [name = "", word = ""] = rest.split(/\s+/, 2);
  const found = named(sim, name);
  if (found.length === 0 || !/^[A-Z_]{3,30}$/.test(word)) return phrase("simulator.typed.template");
  const isCategory = CATEGORIES.includes(word);
  change(sim, name, isCategory ? { category: word } : { status: word });
  for (const template of found) {
    const which = wordsFor(template);
    if (isCategory) {
      sim.tell("template_category_update", {
        ...which,
        previous_category: template.category,
        new_category: word,
      });
    } else {
      sim.tell("message_template_status_update", { event: word, ...which, reason: "NONE" });
    }
  }
  return null;
}

const NOTICE_SECONDS = 86_400;

/** Notifies the webhook that all templates of a name will get another category. */
function announceMove(sim: WhatsappSim, rest: string): Phrase | null {
  const [name = "", word = ""] = rest.split(/\s+/, 2);
  const found = named(sim, name);
  if (found.length === 0 || !CATEGORIES.includes(word)) return phrase("simulator.typed.announce");
  for (const template of found) {
    sim.tell("template_category_update", {
      ...wordsFor(template),
      correct_category: word,
      new_category: template.category,
      category_update_timestamp: Math.floor(sim.nowMs() / 1000) + NOTICE_SECONDS,
    });
  }
  return null;
}

/** Changes the quality of all templates of a name, and notifies the webhook. */
function changeQuality(sim: WhatsappSim, rest: string): Phrase | null {
  const [name = "", score = ""] = rest.split(/\s+/, 2);
  const found = named(sim, name);
  if (found.length === 0 || !SCORES.includes(score)) return phrase("simulator.typed.quality");
  change(sim, name, { quality_score: { score } });
  for (const template of found) {
    sim.tell("message_template_quality_update", {
      ...wordsFor(template),
      previous_quality_score: template.quality_score.score,
      new_quality_score: score,
    });
  }
  return null;
}

function named(sim: WhatsappSim, name: string): readonly SimTemplate[] {
  return sim.templates().filter((template) => template.name === name);
}

function change(sim: WhatsappSim, name: string, changes: Partial<SimTemplate>): void {
  sim.setTemplates(sim.templates().map((each) => (each.name === name ? { ...each, ...changes } : each)));
}

function wordsFor({ id, name, language }: SimTemplate) {
  return {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: language,
  };
}

/** Runs one command line typed by a person. Null when done, else what is wrong with it. */
export function runSimCommand(sim: WhatsappSim, line: string): Phrase | null {
  const [, name = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  if (name === "") return null;
  const command = SIM_COMMANDS.get(name);
  if (command === undefined)
    return phrase("simulator.typed.unknown", { name, known: [...SIM_COMMANDS.keys()].join(", ") });
  return command.run(sim, rest);
}
