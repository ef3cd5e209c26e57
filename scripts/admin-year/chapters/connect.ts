import { VARIABLES } from "../configuration.ts";
import { comesTrue, type Json } from "../machine.ts";
import { type Chapter, isBound, startReady } from "../year.ts";

/** An operator's password was mistyped: the screen says so, and the right one connects. */
export const connect: Chapter = async (year) => {
  const { story, machine } = year;
  machine.environment({ ...VARIABLES, MOOV_SMPP_PASSWORD: "mo0v" });
  await machine.serve();
  let status: Json[] = [];
  await comesTrue(async () => {
    status = (await machine.quietly("operator", "status")).connections as Json[];
    return status.some(({ operator, last_error }) => operator === "moov" && last_error !== null);
  });
  story.typed(machine.name, "bendre operator status");
  story.saw(status.map((each) => `${each.operator} ${each.state} ${each.last_error ?? ""}`).join("; "));
  const told = String(status.find(({ operator }) => operator === "moov")?.last_error);
  story.promise(told.includes("password"), "a wrong password is told", status);
  await machine.stop();
  story.typed(machine.name, "nano /etc/bendre/environment");
  machine.environment(VARIABLES);
  await startReady(year);
  story.promise(await isBound(year), "with the right one both operators are bound");
};
