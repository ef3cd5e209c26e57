/** Commands ready to be typed: they name the configuration file that the server was started with. */
import { renderCommand } from "../../../../core/invocation.ts";
import type { Answer } from "../../api/contract.ts";
import { useAnswer } from "../../state/use-request.ts";

type Started = Answer<"GET /appliance/started">;

export type Commands = {
  /** `config reload` as it is typed. */
  readonly typed: (words: string) => string;
  readonly started: Started["started"];
  /** Where a service reads its environment. */
  readonly environment: string | null;
};

/** Null until it is known how the server was started. */
export function useCommands(): Commands | null {
  const { value } = useAnswer("GET /appliance/started");
  return value && { ...value, typed: (words) => renderCommand(value.started, words) };
}
