import { expect, test } from "vitest";
import { actorOf, nameIn, type SystemUser } from "../../src/cli/actor.ts";

const PASSWD =
  "root:x:0:0:root:/root:/bin/bash\nbendre:x:998:998::/var/lib/bendre:/bin/false\nawa:x:1000:1000::/:\n";
const user = (uid: number, loginUid: number | null = null): SystemUser => ({
  uid,
  loginUid,
  nameOf: (id) => nameIn(PASSWD, id),
});

test("behind sudo it is the person, whatever user the command runs as", () => {
  expect(actorOf({ SUDO_USER: "awa", SUDO_UID: "1000" }, user(0))).toBe("awa");
  expect(actorOf({ SUDO_USER: "awa" }, user(998))).toBe("awa");
  expect(actorOf({ SUDO_UID: "1000" }, user(0))).toBe("awa");
});

test("in a shell of root it is who logged in, not root", () => {
  expect(actorOf({}, user(0, 1000))).toBe("awa");
  expect(actorOf({}, user(0, 0))).toBe("root");
});

test("where nobody logged in it is the user by name, or by number where the system has no name", () => {
  expect(actorOf({}, user(0))).toBe("root");
  expect(actorOf({}, user(998))).toBe("bendre");
  expect(actorOf({ SUDO_UID: "x" }, user(4711))).toBe("uid 4711");
});
