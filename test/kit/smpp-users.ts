import type { NewSmppUser } from "../../src/domain/accounts/smpp-users.ts";

/** An SMPP user with the usual settings, and `changes` over them. */
export function smppUserOf(
  changes: Partial<NewSmppUser> & Pick<NewSmppUser, "systemId" | "accountId">,
): NewSmppUser {
  return {
    messageClass: "TRANSACTIONAL",
    classesBy: null,
    sender: null,
    maxBinds: 2,
    throughput: 50,
    window: 10,
    networks: [],
    tls: "required",
    alphabet: "gsm",
    ids: "ulid",
    reasons: false,
    receiptText: 0,
    inbound: false,
    ...changes,
  };
}
