import { resolve } from "node:path";
import { refusalOf } from "../core/failures.ts";
import { isEmbedded } from "../core/how-started.ts";
import { phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import type { InstallView, UninstallView } from "../ops/install/install.ts";
import { type Display, lookFor } from "./look.ts";
import type { OwnCommand } from "./own-command.ts";
import { printError, printJson } from "./print.ts";
import { showData } from "./show.ts";
import { labelOf } from "./words.ts";

export const INSTALL: OwnCommand = {
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
    const example: { default: string } = await import("../../config.example.toml", {
      with: { type: "text" },
    });
    const root = args.root === undefined ? null : resolve(args.root);
    if (args.uninstall === undefined && !isEmbedded(Bun.main)) {
      return printError(io, json, refusalOf("NOT_INSTALLED.source"));
    }
    const asked = {
      root,
      user: args.user ?? "bendre",
      executable: process.execPath,
      config: example.default,
    };
    const answer =
      args.uninstall === undefined ? install(asked, installSystem) : uninstall(root, installSystem);
    if (!answer.ok) return printError(io, json, answer.refusal);
    if (json) printJson(io, { data: answer.value });
    else io.out(report(answer.value, lookFor(io)));
    return 0;
  },
};

function report(view: InstallView | UninstallView, look: Display): string {
  if ("removed" in view) return showData(view, undefined, look);
  const { next, ...files } = view;
  return `${showData(files, undefined, look)}\n${spokenIn(look.locale, phrase("cli.label", { name: labelOf("next", look.locale) }))}\n${next.map((line) => `  ${line}\n`).join("")}`;
}
