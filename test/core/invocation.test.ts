import { expect, test } from "vitest";
import { programName, quoteShellWord, renderCommand } from "../../src/core/invocation.ts";

const CONFIG = "/srv/sms/config.toml";

test("a command names the file that the server was started with, so that it works from every directory", () => {
  const started = { program: "bendre", config: CONFIG, isService: false };
  expect(renderCommand(started, "config reload")).toBe(`bendre config reload --config ${CONFIG}`);
});

test("a service's command is typed as root, for its data are another user's", () => {
  const started = { program: "bendre", config: "/etc/bendre/config.toml", isService: true };
  expect(renderCommand(started, "config reload")).toBe(
    "sudo bendre config reload --config /etc/bendre/config.toml",
  );
});

test("without a file that is known a command stands as in the documentation", () => {
  expect(renderCommand(null, "config reload")).toBe("bendre config reload");
});

test("what a shell would take apart stands in quotes", () => {
  expect(quoteShellWord("/srv/a b/config.toml")).toBe("'/srv/a b/config.toml'");
  expect(quoteShellWord("/srv/l'essai.toml")).toBe(`'/srv/l'\\''essai.toml'`);
  const started = { program: "bendre", config: "/srv/a b/c.toml", isService: false };
  expect(renderCommand(started, "user list")).toBe("bendre user list --config '/srv/a b/c.toml'");
});

test("an executable is called by its name where shells look, else by its whole path", () => {
  expect(programName("/usr/local/bin/bendre", "/$bunfs/root/bendre")).toBe("bendre");
  expect(programName("/opt/bendre/dist/bendre", "/$bunfs/root/bendre")).toBe("/opt/bendre/dist/bendre");
  expect(programName("/home/awa/mon bendre/bendre", "/$bunfs/root/bendre")).toBe(
    "'/home/awa/mon bendre/bendre'",
  );
  expect(programName("/usr/bin/bun", "/srv/bendre/src/main.ts")).toBe("/usr/bin/bun /srv/bendre/src/main.ts");
});
