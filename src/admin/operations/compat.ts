/** Operations on users of the Kannel and Jasmin interfaces: create (the password is shown once), list, revoke. */
import { assert } from "../../core/assert.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import {
  type CompatUser,
  compatUserByName,
  createCompatUser,
  listCompatUsers,
  revokeCompatUser,
} from "../../domain/accounts/compat-users.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import { senderByName } from "../../domain/accounts/senders.ts";
import { findAccount } from "./account-names.ts";
import { change, changeOpenAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, oneOf, optional, otherwise, text, typedAs, word } from "./parameters.ts";
import { done, refuse } from "./refusal.ts";

type CompatUserInput = {
  readonly user: string;
  readonly messageClass: MessageClass;
  readonly sender: string | null;
};

/** Clients of Jasmin take no longer names. */
const NAME = /^[A-Za-z0-9._-]{1,16}$/;

/** Creates a user for clients of Kannel and Jasmin. The password is returned here and never again. */
async function compatCreate(context: AdminContext, accountId: string, wanted: CompatUserInput) {
  const { user: name, messageClass, sender } = wanted;
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    if (!NAME.test(name)) {
      return refuse("INVALID_NAME.compat_user");
    }
    if (!account.classes.includes(messageClass)) {
      return refuse("INVALID_CLASS.may_send", { classes: account.classes.join(", ") });
    }
    if (sender !== null && !senderByName(tx, account.id, sender)) {
      return refuse("SENDER_NOT_FOUND.of_account", { sender });
    }
    if (compatUserByName(tx, name)) {
      return refuse("NAME_TAKEN.user", { user: name });
    }
    const password = createCompatUser(
      tx,
      context.chance,
      { name, accountId: account.id, messageClass, sender },
      nowMs,
    );
    const value = { user: name, password, account_id: account.ulid, message_class: messageClass, sender };
    const detail = { account_id: account.ulid, message_class: messageClass, sender };
    return done({ value, audit: { action: "compat create", subject: name, detail } });
  });
}

/** A user without anything of the password. */
function view(read: Reader, user: CompatUser) {
  const account = accountById(read, user.accountId);
  assert(account, "a user belongs to an account");
  return {
    user: user.name,
    account_id: account.ulid,
    message_class: user.messageClass,
    sender: user.sender,
    status: user.revokedAtMs === null ? "ACTIVE" : "REVOKED",
    created_at: isoUtc(user.createdAtMs),
    revoked_at: isoOrNull(user.revokedAtMs),
  };
}

const CLASS = otherwise(
  "TRANSACTIONAL",
  typedAs(
    {
      flag: "class",
      read: (typed) => {
        const messageClass = MESSAGE_CLASSES.find((one) => one === typed);
        return messageClass === undefined
          ? refuse("INVALID_CLASS.user", { text: typed, known: MESSAGE_CLASSES.join(", ") })
          : done(messageClass);
      },
    },
    oneOf("CLASS", MESSAGE_CLASSES),
  ),
);

export const COMPAT_OPERATIONS = {
  "compat create": operation({
    params: {
      account: ACCOUNT,
      user: text("U", 100),
      message_class: CLASS,
      sender: optional(text("NAME", 32)),
    },
    run: (context, { account, user, message_class, sender }) =>
      compatCreate(context, account, { user, messageClass: message_class, sender }),
  }),
  /** The account's users, oldest first, those that ended included. */
  "compat list": operation({
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account: accountId }) => {
      const { read } = context.store;
      const account = findAccount(read, accountId);
      if (!account.ok) return account;
      return done({ users: listCompatUsers(read, account.value.id).map((user) => view(read, user)) });
    },
  }),
  /** Ends a user at once and for good. */
  "compat revoke": operation({
    params: { user: word("USER", text("USER", 100)) },
    run: (context, { user: name }) =>
      change(context, (tx, nowMs) => {
        const user = compatUserByName(tx, name);
        if (!user) return refuse("USER_NOT_FOUND", { login: name });
        revokeCompatUser(tx, user.id, nowMs);
        const value = view(tx, { ...user, revokedAtMs: nowMs });
        const detail = { account_id: value.account_id };
        return done({ value, audit: { action: "compat revoke", subject: name, detail } });
      }),
  }),
};
