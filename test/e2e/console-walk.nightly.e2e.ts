/** Every page of the console, walked as each role, in both languages, wide and on a telephone. */
import { ROLES } from "../../src/domain/accounts/roles.ts";
import { describeWalk } from "./console-walk.ts";

describeWalk({
  cases: ROLES.flatMap((role) => [
    { role, language: "fr", isPhone: role.length % 2 === 0, isByKeyboard: role === "OWNER" } as const,
    { role, language: "en", isPhone: role.length % 2 === 1 } as const,
  ]),
});
