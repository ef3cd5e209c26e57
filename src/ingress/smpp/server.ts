/**
 * SMPP for customers: listens, knows who is bound, and ends who may no longer be. Closed unless the configuration has an address.
 *
 * A session over its socket is in session.ts, how binds are judged in binds.ts, what a submit means in read-submit.ts and what becomes of
 * it in submission.ts, parts of long texts in parts.ts, receipts in receipts.ts over the rows of follows.ts, query_sm and cancel_sm in
 * operations.ts, texts that come in in inbound.ts, and the one table of refusals in refusals.ts. Nothing of the product is done here: a submit is a batch of one recipient
 * (domain/submission/submit.ts), and its receipts follow from the feed.
 */
import { smppCertificate } from "../../config/config.ts";
import { parseListen } from "../../config/listen.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Chance } from "../../core/chance.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { toCustomerNetwork } from "../../core/ip-networks.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { type SmppUser, smppUserById } from "../../domain/accounts/smpp-users.ts";
import type { IntakeRefusal } from "../../domain/submission/request.ts";
import type { Submit } from "../../domain/submission/submit.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { AcceptedSocket, SmppListen, SmppListener } from "../../smpp/listen.ts";
import type { BindKind } from "../../smpp/pdu.ts";
import type { BindRequest, SmscSessionSettings } from "../../smpp/smsc-session.ts";
import { STATUS } from "../../smpp/status.ts";
import { type BindRefusal, type BindVerdict, createBindGate, whyNotAllowed } from "./binds.ts";
import { dropUserRows, type ReceiptsWaiting, receiptsWaiting } from "./follows.ts";
import { operate } from "./operations.ts";
import { countWaitingParts } from "./parts.ts";
import { type Receipts, startReceipts } from "./receipts.ts";
import { REFUSALS, type SmppRefusal, toSentence } from "./refusals.ts";
import { type BoundUser, CustomerSession, type SessionOwner } from "./session.ts";
import { countRefusedBind, countSubmit } from "./smpp-metrics.ts";
import { createSmppSubmission, MAX_WAITING_PARTS } from "./submission.ts";

type SmppServerDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly newId: () => string;
  readonly listen: SmppListen;
  readonly submit: Submit;
  /** Why nothing is taken at this moment, whatever it is; null: it is. */
  readonly notNow: () => IntakeRefusal | null;
  /** Called after the commit that called a message of an account off. */
  readonly onCancelled: (accountId: number) => void;
};

/** A session as administrators see it. */
type SessionStatus = {
  readonly session: string;
  readonly peer: string;
  readonly bind: BindKind;
  /** As the client said: 3.4. */
  readonly version: string;
  readonly tls: boolean;
  readonly sinceMs: number;
  readonly windowUsed: number;
  /** Submits of the last second. */
  readonly rate: number;
};

/** One of the last refusals of a user, of binds with their true reason; `detail` in English. */
type RefusalStatus = {
  readonly atMs: number;
  readonly commandStatus: number;
  readonly reason: string;
  readonly detail: string;
};

/** How a user stands. */
type UserStatus = {
  readonly sessions: readonly SessionStatus[];
  readonly receipts: ReceiptsWaiting;
  readonly partsWaiting: number;
  /** The last 20, the newest first. */
  readonly refusals: readonly RefusalStatus[];
};

export type SmppServer = {
  /** How many sessions of a user are bound. */
  readonly sessionsOf: (userId: number) => number;
  readonly userStatus: (userId: number) => UserStatus;
  /** Unbinds a session of a user, or all of them; how many. */
  readonly kick: (userId: number, session: string | null) => number;
  /** A user was changed: unbinds its sessions that are no longer allowed, or all. */
  readonly userChanged: (userId: number, ends: "not allowed" | "all") => void;
  /** An account was changed: the same for its users. */
  readonly accountChanged: (accountId: number) => void;
  /** Something was written for users: texts that came in. */
  readonly wake: () => void;
  /** Where it listens; for tests and the log. */
  readonly ports: () => { readonly plain: number | null; readonly tls: number | null };
  /** Takes no more connections and submits. */
  readonly refuse: () => void;
  /** Answers what is committed, unbinds, and closes what is left at the deadline. */
  readonly stop: (leftMs: number) => Promise<void>;
};

/** Connections without a bind: from an address, and in all. */
const MAX_UNBOUND = 20;
const MAX_ALL_UNBOUND = 200;
const MAX_REFUSALS = 20;
/** How long a client that is asked to leave may take. */
const UNBIND_MS = 2_000;
/** How long a session may be silent when somebody else waits for its place. */
const PROBE_MS = 5_000;
/** What is left of a stop for unbinding. */
const UNBINDING_MS = 1_500;
const STOP_STEP_MS = 20;
const MINUTE_MS = 60_000;

/** What the sessions of a user share. */
class UserState implements BoundUser {
  readonly sessions = new Set<CustomerSession>();
  readonly refusals: RefusalStatus[] = [];
  private tokens: number;
  private filledAtMs: number;

  constructor(
    public user: SmppUser,
    private readonly clock: Clock,
  ) {
    this.tokens = user.throughput;
    this.filledAtMs = clock.steadyMs();
  }

  now(): SmppUser {
    return this.user;
  }

  takeToken(): boolean {
    this.fill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  waitMs(): number {
    this.fill();
    return this.tokens >= 1 ? 1 : Math.max(1, Math.ceil(((1 - this.tokens) * 1000) / this.user.throughput));
  }

  /** One second deep. */
  private fill(): void {
    const nowMs = this.clock.steadyMs();
    const { throughput } = this.user;
    this.tokens = Math.min(throughput, this.tokens + ((nowMs - this.filledAtMs) * throughput) / 1000);
    this.filledAtMs = nowMs;
  }
}

/** Refused binds of a user from an address, and why the last one was. */
type RefusedBinds = { readonly systemId: string; readonly peer: string; why: BindRefusal; count: number };

type Listening = {
  readonly key: string;
  readonly listener: SmppListener;
  readonly address: string;
};

/** Starts it. @throws the runtime's error when an address cannot be listened on */
export function startSmppServer(deps: SmppServerDeps): SmppServer {
  return new Server(deps);
}

class Server implements SmppServer {
  private readonly users = new Map<number, UserState>();
  private readonly unbound = new Set<CustomerSession>();
  private readonly bound = new Set<CustomerSession>();
  private readonly listening: { plain: Listening | null; tls: Listening | null } = { plain: null, tls: null };
  private readonly owner: SessionOwner;
  private readonly receipts: Receipts;
  private readonly unfollow: () => void;
  /** Refused binds of a known user from an address, since the last entry of the audit. */
  private readonly refusedBinds = new Map<string, RefusedBinds & { readonly cancel: Cancel }>();
  private isStopping = false;
  private serial: number;

  constructor(private readonly deps: SmppServerDeps) {
    const { settings, store, clock, chance, log } = deps;
    // Higher than those of any run before: receipts know the session that submitted by its number.
    this.serial = clock.nowMs() * 1000;
    this.receipts = startReceipts({
      settings,
      store,
      clock,
      log,
      userOf: (userId) => this.users.get(userId)?.user ?? null,
      sessionsOf: (userId) => this.users.get(userId)?.sessions ?? [],
    });
    const gate = createBindGate({ store, clock, chance });
    const wake = this.receipts.wake;
    const submit = createSmppSubmission({ ...deps, isStopping: () => this.isStopping, wake });
    this.owner = {
      clock,
      log,
      settings: () => this.sessionSettings(),
      closed: () => (this.isStopping ? "STOPPING" : null),
      judge: async (session, bind) => {
        const { systemId, password } = bind.fields;
        const attempt = { systemId, password, peer: session.peer, isTls: session.isTls };
        const judged = await gate.judge(attempt);
        const verdict = judged.ok ? this.admit(session, judged.user) : judged;
        if (!verdict.ok) {
          countRefusedBind(store.tally, verdict.why);
          this.noteRefusedBind(session, bind, verdict.why, verdict.user);
        }
        return verdict;
      },
      toBoundUser: (user) => this.stateOf(user),
      bound: (session) => this.noteBound(session),
      submit: (session, message) => submit(this.userOf(session), session.serial, message),
      operate: (session, command, sequence, operation) =>
        operate({ ...deps, wake }, this.userOf(session), command, sequence, operation),
      answered: (user, result) => {
        countSubmit(store.tally, user.systemId, result.ok ? STATUS.ROK : REFUSALS[result.reason]);
        if (!result.ok) this.noteRefusal(user, result.reason);
      },
      refused: (user, reason) => this.noteRefusal(user, reason),
      delivered: (session, ref, status, isLate) => {
        const user = session.boundUser;
        if (user !== null) this.receipts.delivered(user.id, ref, status, isLate);
      },
      hasRoom: (session) => {
        const user = session.boundUser;
        if (user !== null) this.receipts.hasRoom(user.id);
      },
      ended: (session) => this.forget(session),
    };
    this.applySettings();
    this.unfollow = settings.onChange(() => {
      try {
        this.applySettings();
      } catch (error) {
        log.error("an address for SMPP clients could not be listened on", { ...errorFields(error) });
      }
    });
  }

  sessionsOf(userId: number): number {
    return this.users.get(userId)?.sessions.size ?? 0;
  }

  userStatus(userId: number): UserStatus {
    const { read } = this.deps.store;
    const state = this.users.get(userId);
    return {
      sessions: [...(state?.sessions ?? [])].map(toSessionStatus),
      receipts: receiptsWaiting(read, userId),
      partsWaiting: countWaitingParts(read, userId, MAX_WAITING_PARTS),
      refusals: state?.refusals.toReversed() ?? [],
    };
  }

  kick(userId: number, id: string | null): number {
    const sessions = [...(this.users.get(userId)?.sessions ?? [])].filter(
      (session) => id === null || session.id === id,
    );
    for (const session of sessions) session.unbind(UNBIND_MS);
    return sessions.length;
  }

  userChanged(userId: number, ends: "not allowed" | "all"): void {
    const { store, log } = this.deps;
    const user = smppUserById(store.read, userId);
    if (user === null) return;
    const state = this.users.get(userId);
    if (state) state.user = user;
    const account = accountById(store.read, user.accountId);
    const accountStatus = account?.status ?? "CLOSED";
    const kept: CustomerSession[] = [];
    for (const session of state?.sessions ?? []) {
      const why = whyNotAllowed({ user, accountStatus }, session.peer, session.isTls);
      if (ends === "all" || why !== null) session.unbind(UNBIND_MS);
      else kept.push(session);
    }
    for (const session of kept.slice(user.maxBinds)) session.unbind(UNBIND_MS);
    if (user.revokedAtMs === null) return;
    const failed = (error: unknown): void =>
      log.error("what waits for a revoked SMPP user could not be ended", { ...errorFields(error) });
    store.write((tx) => dropUserRows(tx, userId)).catch(failed);
  }

  accountChanged(accountId: number): void {
    for (const { user } of this.users.values())
      if (Math.abs(user.accountId) === Math.abs(accountId)) this.userChanged(user.id, "not allowed");
  }

  wake(): void {
    this.receipts.wake();
  }

  ports(): { readonly plain: number | null; readonly tls: number | null } {
    return {
      plain: this.listening.plain?.listener.port ?? null,
      tls: this.listening.tls?.listener.port ?? null,
    };
  }

  refuse(): void {
    this.isStopping = true;
    this.unfollow();
    this.listening.plain?.listener.stop();
    this.listening.tls?.listener.stop();
    for (const session of [...this.unbound]) session.cut();
  }

  async stop(leftMs: number): Promise<void> {
    this.refuse();
    const { clock } = this.deps;
    const untilMs = clock.steadyMs() + leftMs;
    const isAnswered = (): boolean => [...this.bound].every(({ unanswered }) => unanswered === 0);
    await this.waitUntil(isAnswered, untilMs - UNBINDING_MS);
    for (const session of [...this.bound]) session.unbind(UNBINDING_MS);
    await this.waitUntil(() => this.bound.size === 0, untilMs);
    for (const session of [...this.bound]) session.cut();
    for (const minute of this.refusedBinds.values()) {
      minute.cancel();
      if (minute.count > 0) this.recordRefusedBinds(minute);
    }
    this.refusedBinds.clear();
    await this.receipts.stop();
  }

  private async waitUntil(isDone: () => boolean, untilMs: number): Promise<void> {
    const { clock } = this.deps;
    while (!isDone() && clock.steadyMs() < untilMs)
      await new Promise<void>((resolve) => void clock.after(STOP_STEP_MS, resolve));
  }

  private userOf(session: CustomerSession): SmppUser {
    const user = session.boundUser;
    assert(user !== null, "who submits is bound");
    return user;
  }

  private stateOf(user: SmppUser): UserState {
    const known = this.users.get(user.id) ?? new UserState(user, this.deps.clock);
    known.user = user;
    this.users.set(user.id, known);
    return known;
  }

  private sessionSettings(): SmscSessionSettings {
    const { bind_seconds, enquire_link_seconds, response_timeout_seconds } =
      this.deps.settings.now().smpp_server;
    return {
      bindWithinMs: bind_seconds * 1000,
      enquireLinkMs: enquire_link_seconds * 1000,
      enquiresOnSilence: true,
      responseTimeoutMs: response_timeout_seconds * 1000,
    };
  }

  /** Listens where the configuration says now. What it no longer says is stopped; an address that is emptied unbinds its sessions. */
  private applySettings(): void {
    const { settings } = this.deps;
    const config = settings.now();
    const { listen, tls_listen } = config.smpp_server;
    for (const session of [...this.unbound, ...this.bound]) session.settingsChanged();
    this.listenAt("plain", listen, null);
    if (tls_listen === "") {
      this.listenAt("tls", "", null);
      return;
    }
    const { tls_certificate, tls_key } = smppCertificate(config);
    const cert = settings.pem(tls_certificate);
    const key = settings.pem(tls_key);
    assert(cert !== null && key !== null, "a certificate was asked for when the configuration was read");
    this.listenAt("tls", tls_listen, { cert, key });
  }

  private listenAt(
    which: "plain" | "tls",
    address: string,
    certificate: { readonly cert: string; readonly key: string } | null,
  ): void {
    const { listen, log } = this.deps;
    const before = this.listening[which];
    const key = address === "" ? "" : JSON.stringify([address, certificate]);
    if ((before?.key ?? "") === key) return;
    before?.listener.stop();
    this.listening[which] = null;
    if (address === "") {
      const isItsOwn = (session: CustomerSession): boolean => session.isTls === (which === "tls");
      for (const session of [...this.unbound, ...this.bound])
        if (isItsOwn(session)) session.unbind(UNBIND_MS);
      return;
    }
    const place = parseListen(address);
    assert(place, "an address was checked when the configuration was read");
    // Any free port was taken once: it stays.
    const port = place.port === 0 && before?.address === address ? before.listener.port : place.port;
    const accept = (socket: AcceptedSocket) => this.accept(socket, which === "tls");
    const listener = listen({ hostname: place.hostname, port, certificate, accept });
    this.listening[which] = { key, listener, address };
    log.info("SMPP clients are answered", {
      address: place.hostname,
      port: listener.port,
      tls: which === "tls",
    });
  }

  /** Takes a connection, within the limits of those without a bind. */
  private accept(socket: AcceptedSocket, isTls: boolean): CustomerSession | null {
    if (this.isStopping) return null;
    const network = toCustomerNetwork(socket.peer);
    const counts = new Map<string, CustomerSession[]>();
    for (const session of this.unbound) {
      const from = toCustomerNetwork(session.peer);
      counts.set(from, [...(counts.get(from) ?? []), session]);
    }
    if ((counts.get(network)?.length ?? 0) >= MAX_UNBOUND) return null;
    if (this.unbound.size >= MAX_ALL_UNBOUND) {
      const [most] = [...counts.values()].sort((a, b) => b.length - a.length);
      most?.[0]?.cut();
    }
    this.serial += 1;
    const session = new CustomerSession(this.serial, socket, isTls, this.owner);
    this.unbound.add(session);
    return session;
  }

  /** Counts a session as bound, where there is room for it. */
  private admit(session: CustomerSession, user: SmppUser): BindVerdict {
    const refuse = (why: BindRefusal): BindVerdict => ({ ok: false, why, user });
    if (this.isStopping || !session.isOpen) return refuse("STOPPING");
    if (this.bound.size >= this.deps.settings.now().smpp_server.max_connections)
      return refuse("TOO_MANY_CONNECTIONS");
    const state = this.stateOf(user);
    if (state.sessions.size >= user.maxBinds) {
      for (const other of state.sessions) this.probe(other);
      return refuse("TOO_MANY_BINDS");
    }
    state.sessions.add(session);
    this.bound.add(session);
    this.unbound.delete(session);
    return { ok: true, user };
  }

  /** Looks whether a session still lives: one that stays silent is cut, and leaves its place to who asks next. */
  private probe(session: CustomerSession): void {
    if (session.isProbed) return;
    session.isProbed = true;
    const askedAtMs = session.nowMs;
    session.probe();
    this.deps.clock.after(PROBE_MS, () => {
      session.isProbed = false;
      if (session.heardAtMs < askedAtMs) session.cut();
    });
  }

  private noteBound(session: CustomerSession): void {
    const { log, store, clock } = this.deps;
    const user = this.userOf(session);
    const told = { system_id: user.systemId, peer: session.peer, bind: session.bind ?? "" };
    log.info("an SMPP client has bound", told);
    const entry = { atMs: clock.nowMs(), actor: user.systemId, action: "smpp bind", subject: user.systemId };
    const detail = { peer: session.peer, bind: session.bind ?? "", tls: session.isTls };
    store
      .write((tx) => recordAudit(tx, { ...entry, detail }), "with the next")
      .catch((error: unknown) => log.error("a bind could not be recorded", { ...errorFields(error) }));
    if (session.bind !== "transmitter") this.receipts.bound(user.id);
  }

  /** A refused bind of a known user is recorded at once, and those that follow from its address once a minute, with how many. */
  private noteRefusedBind(
    session: CustomerSession,
    bind: BindRequest,
    why: BindRefusal,
    user: SmppUser | null,
  ): void {
    if (user === null || bind.fields.systemId !== user.systemId) return;
    const state = this.stateOf(user);
    this.remember(state, STATUS.RBINDFAIL, why, english(phrase(`smpp.bind_refused.${why}`)));
    const name = `${user.id} ${toCustomerNetwork(session.peer)}`;
    const minute = this.refusedBinds.get(name);
    if (minute !== undefined) {
      minute.count += 1;
      minute.why = why;
      return;
    }
    const { systemId } = user;
    const { peer } = session;
    this.recordRefusedBinds({ systemId, peer, why, count: 1 });
    this.countRefusedBinds(name, { systemId, peer, why });
  }

  private countRefusedBinds(name: string, of: Omit<RefusedBinds, "count">): void {
    const minute = { ...of, count: 0, cancel: () => {} };
    minute.cancel = this.deps.clock.after(MINUTE_MS, () => {
      this.refusedBinds.delete(name);
      if (minute.count === 0) return;
      this.recordRefusedBinds(minute);
      this.countRefusedBinds(name, minute);
    });
    this.refusedBinds.set(name, minute);
  }

  private recordRefusedBinds({ systemId, peer, why, count }: RefusedBinds): void {
    const { log, store, clock } = this.deps;
    const entry = { atMs: clock.nowMs(), actor: systemId, action: "smpp bind refused", subject: systemId };
    const detail = { peer, reason: why, times: count };
    store
      .write((tx) => recordAudit(tx, { ...entry, detail }), "with the next")
      .catch((error: unknown) =>
        log.error("a refused bind could not be recorded", { ...errorFields(error) }),
      );
  }

  private noteRefusal({ id }: SmppUser, reason: SmppRefusal): void {
    const state = this.users.get(id);
    if (state) this.remember(state, REFUSALS[reason], reason, toSentence(reason));
  }

  private remember(state: UserState, commandStatus: number, reason: string, detail: string): void {
    state.refusals.push({ atMs: this.deps.clock.nowMs(), commandStatus, reason, detail });
    if (state.refusals.length > MAX_REFUSALS) state.refusals.shift();
  }

  private forget(session: CustomerSession): void {
    this.unbound.delete(session);
    this.bound.delete(session);
    for (const { sessions } of this.users.values()) sessions.delete(session);
    const user = session.boundUser;
    if (user === null) return;
    this.deps.log.info("an SMPP client has left", { system_id: user.systemId, peer: session.peer });
  }
}

function toSessionStatus(session: CustomerSession): SessionStatus {
  return {
    session: session.id,
    peer: session.peer,
    bind: session.bind ?? "transceiver",
    version: `${session.version >> 4}.${session.version & 0x0f}`,
    tls: session.isTls,
    sinceMs: session.boundAtMs ?? session.connectedAtMs,
    windowUsed: session.unanswered,
    rate: session.rate,
  };
}
