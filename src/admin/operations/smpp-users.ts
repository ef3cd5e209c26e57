/** Operations on users of SMPP for customers: create (the password is shown once), set, password, list, show, kick, revoke. */
import { Type as t } from "typebox";
import { assert } from "../../core/assert.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { parseNetwork } from "../../core/ip-networks.ts";
import { toLiveId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Account, accountById } from "../../domain/accounts/accounts.ts";
import { toKeyMode } from "../../domain/accounts/api-keys.ts";
import { senderByName } from "../../domain/accounts/senders.ts";
import {
  changeSmppUser,
  createSmppUser,
  drawSmppPassword,
  hashSmppPassword,
  isSystemId,
  listSmppUsers,
  revokeSmppUser,
  SMPP_ALPHABETS,
  SMPP_ID_FORMS,
  SMPP_TLS,
  type SmppUser,
  type SmppUserSettings,
  setSmppPassword,
  smppUserById,
  smppUserBySystemId,
  smppUsersOfAccount,
} from "../../domain/accounts/smpp-users.ts";
import { findAccount } from "./account-names.ts";
import { type Change, change, changeOpenAccount, isClosed } from "./change.ts";
import type { AdminContext, SmppUserStatus } from "./context.ts";
import { operation, type Parameter, type ValuesOf } from "./operation.ts";
import {
  ACCOUNT,
  CLASS,
  ifGiven,
  MODE,
  naming,
  oneOf,
  optional,
  orNull,
  otherwise,
  text,
  whole,
  word,
  YES,
} from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { ensureSandbox } from "./sandboxes.ts";

/** Anywhere, among networks. */
const ANY = "any";
const MAX_NETWORKS = 50;

function checkNetworks(networks: readonly string[]): AdminOutcome<readonly string[]> {
  const isAny = networks.length === 1 && networks[0] === ANY;
  const wrong = isAny ? undefined : networks.find((one) => parseNetwork(one) === null);
  if (wrong !== undefined) return refuse("INVALID_NETWORK", { text: wrong });
  if (networks.length > MAX_NETWORKS) return refuse("INVALID_NETWORK.many", { most: MAX_NETWORKS });
  return done([...new Set(networks)]);
}

/** Where a user binds from: networks, or "any" alone. */
const NETWORKS: Parameter<readonly string[], false> = {
  schema: t.Array(t.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: MAX_NETWORKS }),
  typed: { value: "CIDR|any", read: (typed) => done(typed.split(",").map((one) => one.trim())) },
  check: checkNetworks,
};

/** A whole number from 1. */
function upTo(flag: string, most: number): Parameter<number, false> {
  return {
    ...whole("N", { minimum: 1, maximum: most }),
    check: (value) =>
      Number.isInteger(value) && value >= 1 && value <= most
        ? done(value)
        : refuse("INVALID_NUMBER.bounds", { flag, least: 1, most }),
  };
}

const RECEIPT_TEXT: Parameter<0 | 20, false> = {
  schema: t.Enum([0, 20]),
  typed: {
    value: "N",
    choices: ["0", "20"],
    read: (typed) => done(typed === "20" ? 20 : 0),
  },
};

const MAX_BINDS = upTo("max-binds", 50);
const THROUGHPUT = upTo("throughput", 5000);
const WINDOW = upTo("window", 1000);
const SENDER = text("NAME", 32);
const TLS = oneOf("TLS", SMPP_TLS);
const ALPHABET = oneOf("ALPHABET", SMPP_ALPHABETS);
const IDS = oneOf("FORM", SMPP_ID_FORMS);
const ANSWER = oneOf("ANSWER", ["no", "yes"]);
const CLASSES_BY = oneOf("FIELD", ["service_type"]);

/** What the seller says, where nothing else is said. */
const SELLERS = {
  class: "TRANSACTIONAL",
  classes_by: null,
  max_binds: 2,
  throughput: 50,
  window: 10,
  tls: "required",
} as const;

/** What is said of a new user. */
const NEW_USER = {
  class: otherwise(SELLERS.class, CLASS),
  classes_by: optional(CLASSES_BY),
  sender: optional(SENDER),
  max_binds: otherwise(SELLERS.max_binds, MAX_BINDS),
  throughput: otherwise(SELLERS.throughput, THROUGHPUT),
  window: otherwise(SELLERS.window, WINDOW),
  networks: optional(NETWORKS),
  tls: otherwise(SELLERS.tls, TLS),
  alphabet: otherwise("gsm", ALPHABET),
  ids: otherwise("ulid", IDS),
  reasons: otherwise("no", ANSWER),
  receipt_text: otherwise(0, RECEIPT_TEXT),
  inbound: otherwise("no", ANSWER),
};

/** What takes a setting away again. */
const NONE = "none";

/** What may be changed of a user: what is left out stays. */
const CHANGES = {
  class: ifGiven(CLASS),
  classes_by: ifGiven(orNull(NONE, CLASSES_BY)),
  sender: ifGiven(orNull(NONE, SENDER)),
  max_binds: ifGiven(MAX_BINDS),
  throughput: ifGiven(THROUGHPUT),
  window: ifGiven(WINDOW),
  networks: ifGiven(NETWORKS),
  tls: ifGiven(TLS),
  alphabet: ifGiven(ALPHABET),
  ids: ifGiven(IDS),
  reasons: ifGiven(ANSWER),
  receipt_text: ifGiven(RECEIPT_TEXT),
  inbound: ifGiven(ANSWER),
};

type Changes = ValuesOf<typeof CHANGES>;

/** What is given, as it is kept. */
function toSettings(given: Partial<Changes>): Partial<SmppUserSettings> {
  const settings: { readonly [Name in keyof SmppUserSettings]: SmppUserSettings[Name] | undefined } = {
    messageClass: given.class,
    classesBy: given.classes_by,
    sender: given.sender,
    maxBinds: given.max_binds,
    throughput: given.throughput,
    window: given.window,
    networks: given.networks?.filter((one) => one !== ANY),
    tls: given.tls,
    alphabet: given.alphabet,
    ids: given.ids,
    reasons: given.reasons === undefined ? undefined : given.reasons === "yes",
    receiptText: given.receipt_text,
    inbound: given.inbound === undefined ? undefined : given.inbound === "yes",
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** A user without anything of the password. */
function view(read: Reader, user: SmppUser) {
  const account = accountById(read, user.accountId);
  assert(account, "a user belongs to an account");
  return {
    system_id: user.systemId,
    account_id: account.ulid,
    mode: toKeyMode(user.accountId),
    status: user.revokedAtMs === null ? ("ACTIVE" as const) : ("REVOKED" as const),
    ...settingsView(user),
    created_at: isoUtc(user.createdAtMs),
    revoked_at: isoOrNull(user.revokedAtMs),
  };
}

type SmppUserView = Readonly<ReturnType<typeof view>>;

/** The settings of a user, under the names by which they are typed. */
function settingsView(user: SmppUserSettings) {
  return {
    class: user.messageClass,
    classes_by: user.classesBy,
    sender: user.sender,
    max_binds: user.maxBinds,
    throughput: user.throughput,
    window: user.window,
    networks: user.networks.length === 0 ? [ANY] : user.networks,
    tls: user.tls,
    alphabet: user.alphabet,
    ids: user.ids,
    reasons: user.reasons ? ("yes" as const) : ("no" as const),
    receipt_text: user.receiptText,
    inbound: user.inbound ? ("yes" as const) : ("no" as const),
  };
}

/** What of a user its account does not allow, or null. */
function settingsFault(
  read: Reader,
  account: Account,
  { messageClass, sender }: Partial<Pick<SmppUserSettings, "messageClass" | "sender">>,
) {
  if (messageClass !== undefined && !account.classes.includes(messageClass)) {
    return refuse("INVALID_CLASS.may_send", { classes: account.classes.join(", ") });
  }
  if (sender && !senderByName(read, account.id, sender)) {
    return refuse("SENDER_NOT_FOUND.of_account", { sender });
  }
  return null;
}

type NewUser = ValuesOf<typeof CREATE>;

/** Why a user cannot be created, or null. `most`: how many the account may have that were not revoked. */
function createFault(read: Reader, account: Account, given: NewUser, most: number) {
  if (account.status === "CLOSED") return isClosed(account);
  if (!isSystemId(given.system_id)) return refuse("INVALID_NAME.system_id");
  if (given.tls === "optional" && given.networks === null) return refuse("NETWORKS_REQUIRED");
  const fault = settingsFault(read, account, { messageClass: given.class, sender: given.sender });
  if (fault) return fault;
  const isTaken = smppUserBySystemId(read, given.system_id) !== null;
  if (isTaken) return refuse("NAME_TAKEN.system_id", { system_id: given.system_id });
  const active = smppUsersOfAccount(read, account.id).filter(({ revokedAtMs }) => revokedAtMs === null);
  return active.length >= most ? refuse("TOO_MANY_USERS", { most }) : null;
}

/** Creates a user. The password is returned here and never again. */
export async function smppCreate(
  context: AdminContext,
  given: NewUser,
  most: number = Number.POSITIVE_INFINITY,
) {
  const { account: accountId, system_id: systemId, mode } = given;
  const found = findAccount(context.store.read, accountId);
  if (!found.ok) return found;
  // Refused before the hash is worked out, and again where something came in between.
  const refused = createFault(context.store.read, found.value, given, most);
  if (refused) return refused;
  const password = drawSmppPassword(context.chance);
  const passwordHash = await hashSmppPassword(password);
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    const fault = createFault(tx, account, given, most);
    if (fault) return fault;
    const user = toSettings({ ...given, networks: given.networks ?? [] }) as SmppUserSettings;
    const owner = mode === "test" ? ensureSandbox(tx, context, account, nowMs) : account.id;
    const id = createSmppUser(tx, { ...user, systemId, accountId: owner }, passwordHash, nowMs);
    const { system_id, ...rest } = viewById(tx, id);
    const detail = { account_id: account.ulid, mode, ...settingsView(user) };
    return done({
      value: { system_id, password, ...rest },
      audit: { action: "smpp create", subject: systemId, detail },
      concern: { kind: "smpp_user", userId: id, ends: "not allowed" },
    });
  });
}

function viewById(read: Reader, id: number): SmppUserView {
  const user = smppUserById(read, id);
  assert(user, `SMPP user ${id} exists`);
  return view(read, user);
}

/** A user, revoked or not. */
export function findSmppUser(read: Reader, systemId: string): AdminOutcome<SmppUser> {
  const user = smppUserBySystemId(read, systemId);
  return user ? done(user) : refuse("USER_NOT_FOUND.system_id", { system_id: systemId });
}

/** A user that counts, with its account; refused of one that was revoked, or whose account is closed. */
function findUserToChange(
  read: Reader,
  systemId: string,
): AdminOutcome<{ readonly user: SmppUser; readonly account: Account }> {
  const user = findSmppUser(read, systemId);
  if (!user.ok) return user;
  const account = accountById(read, toLiveId(user.value.accountId));
  assert(account, "a user belongs to an account");
  if (account.status === "CLOSED") return isClosed(account);
  const { revokedAtMs } = user.value;
  if (revokedAtMs !== null) return refuse("USER_REVOKED", { system_id: systemId, at: revokedAtMs });
  return done({ user: user.value, account });
}

function changeUser<T>(
  context: AdminContext,
  systemId: string,
  work: (tx: Tx, user: SmppUser, account: Account, nowMs: number) => AdminOutcome<Change<T>>,
): Promise<AdminOutcome<T>> {
  return change(context, (tx, nowMs) => {
    const found = findUserToChange(tx, systemId);
    return found.ok ? work(tx, found.value.user, found.value.account, nowMs) : found;
  });
}

function smppSet(context: AdminContext, systemId: string, given: Partial<Changes>) {
  const settings = toSettings(given);
  return changeUser(context, systemId, (tx, user, account) => {
    if (Object.keys(settings).length === 0) return refuse("NOTHING_TO_CHANGE");
    const isOpened = settings.tls === "optional" && user.tls !== "optional";
    if (isOpened && user.networks.length === 0 && settings.networks === undefined) {
      return refuse("NETWORKS_REQUIRED");
    }
    const fault = settingsFault(tx, account, settings);
    if (fault) return fault;
    changeSmppUser(tx, user.id, settings);
    const detail = { account_id: account.ulid, ...given };
    return done({
      value: viewById(tx, user.id),
      audit: { action: "smpp set", subject: systemId, detail },
      concern: { kind: "smpp_user", userId: user.id, ends: "not allowed" },
    });
  });
}

/** Gives a user a new password, which is returned here and never again. */
async function smppPassword(context: AdminContext, systemId: string, now: boolean) {
  const found = findUserToChange(context.store.read, systemId);
  if (!found.ok) return found;
  const password = drawSmppPassword(context.chance);
  const passwordHash = await hashSmppPassword(password);
  return changeUser(context, systemId, (tx, user, account, nowMs) => {
    setSmppPassword(tx, user.id, { passwordHash, now, nowMs });
    const { system_id, ...rest } = viewById(tx, user.id);
    return done({
      value: { system_id, password, ...rest },
      audit: { action: "smpp password", subject: systemId, detail: { account_id: account.ulid, now } },
      concern: { kind: "smpp_user", userId: user.id, ends: now ? "all" : "not allowed" },
    });
  });
}

/** Users of an account, or of all, oldest first, those that ended included. */
export function smppList({ store: { read } }: AdminContext, accountId: string | null) {
  if (accountId === null) return done({ users: listSmppUsers(read).map((user) => view(read, user)) });
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  return done({ users: smppUsersOfAccount(read, account.value.id).map((user) => view(read, user)) });
}

/** Ends a user at once and for good; what was accepted goes on. Harmless when it is over already. */
function smppRevoke(context: AdminContext, systemId: string) {
  return change(context, (tx, nowMs) => {
    const user = findSmppUser(tx, systemId);
    if (!user.ok) return user;
    const { id } = user.value;
    const isNew = revokeSmppUser(tx, id, nowMs);
    const value = viewById(tx, id);
    const detail = { account_id: value.account_id };
    return done({
      value,
      audit: isNew ? { action: "smpp revoke", subject: systemId, detail } : null,
      concern: { kind: "smpp_user", userId: id, ends: "all" },
    });
  });
}

/** A user with how it stands on the running server; nothing of that while the door is closed. */
function smppShow({ store: { read }, server }: AdminContext, systemId: string) {
  const user = findSmppUser(read, systemId);
  if (!user.ok) return user;
  const status = server?.smpp?.userStatus(user.value.id) ?? NO_STATUS;
  return done({ ...view(read, user.value), ...statusView(status) });
}

const NO_STATUS: SmppUserStatus = {
  sessions: [],
  receipts: { waiting: 0, oldestAtMs: null, givenUp: 0 },
  partsWaiting: 0,
  refusals: [],
};

function statusView({ sessions, receipts, partsWaiting, refusals }: SmppUserStatus) {
  return {
    sessions: sessions.map(({ session, peer, bind, version, tls, sinceMs, windowUsed, rate }) => ({
      session,
      peer,
      bind,
      version,
      tls,
      since: isoUtc(sinceMs),
      window_used: windowUsed,
      rate,
    })),
    receipts_waiting: receipts.waiting,
    receipts_oldest_at: isoOrNull(receipts.oldestAtMs),
    receipts_given_up: receipts.givenUp,
    parts_waiting: partsWaiting,
    refusals: refusals.map(({ atMs, commandStatus, reason, detail }) => ({
      at: isoUtc(atMs),
      command_status: commandStatus,
      reason,
      detail,
    })),
  };
}

/** Unbinds sessions of a user, which may bind again. */
async function smppKick(context: AdminContext, systemId: string, session: string | null) {
  const { server } = context;
  const outcome = await change(context, (tx) => {
    const user = findSmppUser(tx, systemId);
    if (!user.ok) return user;
    const status = server?.smpp?.userStatus(user.value.id) ?? NO_STATUS;
    if (session !== null && !status.sessions.some((one) => one.session === session)) {
      return refuse("SESSION_NOT_FOUND", { session });
    }
    const detail = session === null ? {} : { session };
    return done({ value: user.value.id, audit: { action: "smpp kick", subject: systemId, detail } });
  });
  if (!outcome.ok) return outcome;
  return done({ system_id: systemId, unbound: server?.smpp?.kick(outcome.value, session) ?? 0 });
}

const SYSTEM_ID = text("ID", 100);
const CREATE = { account: ACCOUNT, system_id: SYSTEM_ID, ...NEW_USER, mode: MODE };
const ID = word("ID", naming("smpp_user", SYSTEM_ID));

export const SMPP_USER_OPERATIONS = {
  "smpp create": operation({
    may: "smpp.manage",
    params: CREATE,
    run: (context, given) => smppCreate(context, given),
  }),
  "smpp set": operation({
    may: "smpp.manage",
    params: { system_id: ID, ...CHANGES },
    run: (context, { system_id, ...given }) => smppSet(context, system_id, given),
  }),
  "smpp password": operation({
    may: "smpp.password",
    params: { system_id: ID, now: YES },
    run: (context, { system_id, now }) => smppPassword(context, system_id, now),
  }),
  "smpp list": operation({
    does: "reads",
    params: { account: word("ACCOUNT", optional(naming("account", text("ACCOUNT", 200)))) },
    run: (context, { account }) => smppList(context, account),
  }),
  "smpp revoke": operation({
    may: "smpp.manage",
    params: { system_id: ID },
    run: (context, { system_id }) => smppRevoke(context, system_id),
  }),
};

/** What is asked of the running server. */
export const SMPP_LIVE_OPERATIONS = {
  "smpp show": operation({
    may: "smpp.read",
    does: "reads",
    needsServer: true,
    params: { system_id: ID },
    run: (context, { system_id }) => smppShow(context, system_id),
  }),
  "smpp kick": operation({
    may: "smpp.kick",
    needsServer: true,
    params: { system_id: ID, session: word("SESSION", optional(text("SESSION", 40))) },
    run: (context, { system_id, session }) => smppKick(context, system_id, session),
  }),
};

/** How many users an account's own people may create. */
const MAX_OWN_USERS = 5;

/** "any" is the seller's to say. */
const OWN_NETWORKS: Parameter<readonly string[], false> = {
  ...NETWORKS,
  check: (networks) => (networks.includes(ANY) ? refuse("INVALID_NETWORK.own") : checkNetworks(networks)),
};

const { alphabet, ids, reasons, receipt_text, inbound, sender: own_sender } = NEW_USER;

/** What an account's own people do with users of it: throughput, window, binds, class, TLS and "any" are the seller's to say. */
export const SMPP_OWN_OPERATIONS = {
  create: operation({
    may: "smpp.own",
    params: {
      account: ACCOUNT,
      system_id: SYSTEM_ID,
      sender: own_sender,
      networks: OWN_NETWORKS,
      alphabet,
      ids,
      reasons,
      receipt_text,
      inbound,
      mode: MODE,
    },
    run: (context, given) => smppCreate(context, { ...SELLERS, ...given }, MAX_OWN_USERS),
  }),
  networks: operation({
    may: "smpp.own",
    params: { system_id: ID, networks: OWN_NETWORKS },
    run: (context, { system_id, networks }) => smppSet(context, system_id, { networks }),
  }),
};
