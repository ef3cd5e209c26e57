/** `bendre install`, and its undoing (docs/administration.md#installing). */
import { resolve } from "node:path";
import { isEmbedded } from "../core/invocation.ts";
import { toRefusal } from "../core/refusals.ts";
import { phrase } from "../i18n/phrase.ts";
import { renderIn } from "../i18n/text.ts";
import type { InstallView, UninstallView } from "../ops/install/install.ts";
import { renderLabel } from "./labels.ts";
import type { LocalCommand } from "./local-command.ts";
import { renderData } from "./render.ts";
import { type Display, deriveLocale, printError, printJson, toDisplay } from "./terminal.ts";

export const INSTALL: LocalCommand = {
  kind: "own",
  name: "install",
  positionals: [],
  flags: [
    { name: "root", value: "DIR" },
    {
      name: "user",
      value: "NAME",
      excludes: ["uninstall"],
    },
    { name: "uninstall", value: null },
  ],
  run: async ({ io, args, json }) => {
    const { install, uninstall } = await import("../ops/install/install.ts");
    const { installSystem } = await import("../ops/install/system.ts");
    const { renderExample } = await import("../config/manual.ts");
    const root = args.root === undefined ? null : resolve(args.root);
    if (args.uninstall === undefined && !isEmbedded(Bun.main)) {
      return printError(io, json, toRefusal("NOT_INSTALLED.source"));
    }
    const asked = {
      root,
      user: args.user ?? "bendre",
      executable: process.execPath,
      config: renderExample(deriveLocale(io)),
    };
    const answer =
      args.uninstall === undefined ? install(asked, installSystem) : uninstall(root, installSystem);
    if (!answer.ok) return printError(io, json, answer.refusal);
    if (json) printJson(io, { data: answer.value });
    else io.out(report(answer.value, toDisplay(io)));
    return 0;
  },
};

function report(view: InstallView | UninstallView, look: Display): string {
  if ("removed" in view) return renderData(view, undefined, look);
  const { next, ...files } = view;
  return `${renderData(files, undefined, look)}\n${renderIn(look.locale, phrase("cli.label", { name: renderLabel("next", look.locale) }))}\n${next.map((line) => `  ${line}\n`).join("")}`;
}
