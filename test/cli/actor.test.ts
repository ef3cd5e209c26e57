import { expect, test } from "vitest";
import { deriveActor, findUserName, type SystemUser } from "../../src/cli/actor.ts";

const PASSWD =
  "root:x:0:0:root:/root:/bin/bash\nbendre:x:998:998::/var/lib/bendre:/bin/false\nawa:x:1000:1000::/:\n";
const user = (uid: number, loginUid: number | null = null): SystemUser => ({
  uid,
  loginUid,
  nameOf: (id) => findUserName(PASSWD, id),
});

test("behind sudo it is the person, whatever user the command runs as", () => {
  expect(deriveActor({ SUDO_USER: "awa", SUDO_UID: "1000" }, user(0))).toBe("awa");
  expect(deriveActor({ SUDO_USER: "awa" }, user(998))).toBe("awa");
  expect(deriveActor({ SUDO_UID: "1000" }, user(0))).toBe("awa");
});

test("in a shell of root it is who logged in, not root", () => {
  expect(deriveActor({}, user(0, 1000))).toBe("awa");
  expect(deriveActor({}, user(0, 0))).toBe("root");
});

test("where nobody logged in it is the user by name, or by number where the system has no name", () => {
  expect(deriveActor({}, user(0))).toBe("root");
  expect(deriveActor({}, user(998))).toBe("bendre");
  expect(deriveActor({ SUDO_UID: "x" }, user(4711))).toBe("uid 4711");
});
