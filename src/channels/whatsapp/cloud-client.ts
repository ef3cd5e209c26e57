/**
 * Asks Meta's Cloud API, or what the configuration names in its place. A post is never sent twice by itself: what it may have
 * reached is in doubt. The token stands in the header of the request and nowhere else.
 */

import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import { type Ask, type AskEnd, asker } from "../../https/post.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import { parseTarget } from "../../https/target.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type PostAnswer, readAnswer } from "./post-answer.ts";

export type CloudDeps = {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly https: HttpsNetwork;
  /** The PEM text of a file, or null for none. */
  readonly readPem: (file: string) => string | null;
};

export type CloudClient = {
  /** Posts a message by a number. Never rejects. */
  readonly post: (
    number: Pick<NumberConfig, "phone_number_id" | "token">,
    body: string,
    stop?: AbortSignal,
  ) => Promise<PostAnswer>;
  /**
   * Reads what stands at a path behind the version, or at a whole address that an answer named: nothing is asked of another server than
   * the configured one, and no token goes there. Never rejects.
   */
  readonly get: (path: string | URL, token: string, stop?: AbortSignal) => Promise<AskEnd>;
};

export type NumberConfig = Config["whatsapp"]["numbers"][string];

const MAX_ANSWER_OCTETS = 65_536;
const MAX_READ_OCTETS = 4_194_304;

export function cloudClient({ settings, clock, https, readPem }: CloudDeps): CloudClient {
  const way = deriveCached(
    () => settings.now().whatsapp,
    (whatsapp): Ask =>
      asker({
        clock,
        resolve: https.resolve,
        own: https.ownAddresses,
        request: https.request,
        // Only whoever writes the configuration names this address, and http only to this machine.
        allowPrivate: () => true,
        ca: readPem(whatsapp.ca_file),
        timeoutMs: whatsapp.response_timeout_seconds * 1000,
        isNeverTwice: true,
      }),
  );
  const unsent = (error: Phrase): AskEnd => ({ status: null, retryAfter: null, error, isUnsent: true });
  const ask = async (
    path: string | URL,
    request: Parameters<Ask>[1],
    token: string,
    stop?: AbortSignal,
  ): Promise<AskEnd> => {
    const { api, version } = settings.now().whatsapp;
    if (path instanceof URL && path.origin !== URL.parse(api)?.origin) {
      return unsent(phrase("network.other_server"));
    }
    const target = parseTarget(path instanceof URL ? path.href : `${api}/${version}/${path}`);
    if (target === null) return unsent(phrase("network.no_api_address"));
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return way()(target, { ...request, headers }, stop);
  };
  return {
    post: async (number, body, stop) => {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body, wholeUpTo: MAX_ANSWER_OCTETS } as const;
      return readAnswer(await ask(`${number.phone_number_id}/messages`, request, number.token, stop));
    },
    get: (path, token, stop) =>
      ask(path, { method: "GET", headers: {}, body: null, wholeUpTo: MAX_READ_OCTETS }, token, stop),
  };
}
