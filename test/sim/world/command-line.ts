import { decodeReply } from "../../../src/admin/control-client.ts";
import { english } from "../../../src/i18n/text.ts";
import type { Command } from "../actors.ts";
import type { Observe } from "../observation.ts";
import type { HttpNetwork } from "./http-network.ts";

/**
 * Commands as they are typed beside the server, over its control socket. What is observed of files names them below `place`,
 * the run's folder, whose name is another in each run.
 */
export function commandLine({ command }: HttpNetwork, observe: Observe, place: string): Command {
  let commands = 0;
  return async (name, args) => {
    commands += 1;
    const id = commands;
    observe({ kind: "command", id, name, args });
    const answer = await command(JSON.stringify({ command: name, args, actor: "awa" }));
    const body = answer?.body.replaceAll(place, "DIRECTORY");
    const reply = body === undefined ? null : decodeReply(JSON.parse(body));
    if (!reply) {
      observe({ kind: "no outcome", id });
      return null;
    }
    if (reply.ok) {
      observe({ kind: "outcome", id, ok: true, data: reply.value });
      return { ok: true, data: reply.value };
    }
    const { code } = reply.refusal;
    const detail = english(reply.refusal.detail);
    observe({ kind: "outcome", id, ok: false, code, detail });
    return { ok: false, code, detail };
  };
}
