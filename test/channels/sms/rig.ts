import { afterEach } from "vitest";
import { createSenderReader } from "../../../src/admin/operations/msisdn.ts";
import { type SmppWorkers, smppWorkers } from "../../../src/channels/sms/smpp-worker.ts";
import { recoverClaim } from "../../../src/channels/sms/submit-results.ts";
import type { Config } from "../../../src/config/config.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { Store } from "../../../src/db/store.ts";
import { type Delivery, startDelivery } from "../../../src/dispatch/delivery.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { systemDial } from "../../../src/smpp/dial.ts";
import { messageOctets, type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";
import { decodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { type Concatenation, parseUserData } from "../../../src/text/udh.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants, until } from "../../kit/tenants.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type LogLine, testLog } from "../../kit/test-log.ts";
import { obliging, type Peer, type ScriptedSmsc, scriptedSmsc } from "../../smpp/scripted-smsc.ts";

/** A submit_sm as the SMSC sees it, and what the SMSC can do about it. */
export type Submit = {
  /** National form. */
  readonly to: string;
  readonly text: string;
  readonly place: Concatenation | null;
  readonly message: ShortMessage;
  readonly peer: Peer;
  readonly accept: (id?: string) => void;
  readonly refuse: (status: number) => void;
};

type RigDelivery = Omit<Delivery, "status"> & Pick<SmppWorkers, "status">;

export type Rig = Tenants & {
  readonly smsc: ScriptedSmsc;
  /** Every submit_sm so far, in order. */
  readonly submits: Submit[];
  /** Its status is that of the SMPP connections, which tells more. */
  readonly delivery: () => RigDelivery;
  readonly lines: readonly LogLine[];
  /** Sends a receipt over the link that was last bound to receive, and resolves when it was answered: with its status. */
  readonly receipt: (id: string, stat: string, to?: string, more?: Partial<ShortMessage>) => Promise<number>;
  readonly until: (holds: () => boolean) => Promise<void>;
  /** Until every message that was submitted so far has this status. */
  readonly untilAll: (status: string, count: number) => Promise<void>;
  /** Lets everything that needs no time happen. */
  readonly settle: () => Promise<void>;
  /** Ends delivery and starts it anew on the same database, as a restart does. */
  readonly restart: () => Promise<void>;
  readonly stopDelivery: (graceMs?: number) => Promise<void>;
};

export type RigOptions = {
  readonly connection?: Readonly<Record<string, unknown>>;
  readonly operator?: Readonly<Record<string, unknown>>;
  /** Operators in place of the one, given the SMSC's port. */
  readonly operators?: (port: number) => Readonly<Record<string, unknown>>;
  /** What the SMSC does about a submit_sm; accepts it as `id-N` unless given. `count` is its place, from 1. */
  readonly onSubmit?: (submit: Submit, count: number) => void;
  /** The binds that are left without an answer. */
  readonly isBindIgnored?: () => boolean;
  /** The enquire_link that are left without an answer. */
  readonly isEnquiryIgnored?: () => boolean;
  /** An unbind is answered unless this is false. */
  readonly answersUnbind?: boolean;
  /** What delivery is given in place of the configuration, which its schema may not let through. */
  readonly altered?: (config: Config) => Config;
  /** Everything that is accepted waits in the queue first. */
  readonly waits?: boolean;
  /** Stands in for the clock that delivery is given. */
  readonly clock?: (real: Clock) => Clock;
  /** Stands in for the store that delivery is given. */
  readonly store?: (real: Store) => Store;
};

/** Delivery to one scripted operator over a real socket, on a clock that stands still. */
export function rig(options: RigOptions = {}): Rig {
  const submits: Submit[] = [];
  const answered = new Map<number, number>();
  let accepted = 0;
  let peerNow: Peer | null = null;
  let receipts = 0;
  const handle = options.onSubmit ?? ((submit: Submit) => submit.accept());

  const onSubmit = (sequence: number, message: ShortMessage, peer: Peer): void => {
    const octets = messageOctets(message);
    const { body, concatenation } =
      message.esmClass & 0x40 ? parseUserData(octets) : { body: octets, concatenation: null };
    const answer = (status: number, messageId: string | null): void => {
      peer.send({ command: "submit_sm_resp", sequence, status, messageId });
    };
    const submit: Submit = {
      to: message.destinationAddr.slice(3),
      text: decodeGsm(body),
      place: concatenation,
      message,
      peer,
      accept: (id) => {
        accepted += 1;
        answer(0, id ?? `id-${accepted}`);
      },
      refuse: (status) => answer(status, null),
    };
    submits.push(submit);
    handle(submit, submits.length);
  };

  const smsc = scriptedSmsc((pdu, peer) => {
    if (pdu.command === "submit_sm") {
      onSubmit(pdu.sequence, pdu.message, peer);
      return;
    }
    if (pdu.command === "deliver_sm_resp") answered.set(pdu.sequence, pdu.status);
    if (pdu.command.startsWith("bind_")) {
      if (options.isBindIgnored?.()) return;
      if (pdu.command !== "bind_transmitter") peerNow = peer;
    }
    if (pdu.command === "enquire_link" && options.isEnquiryIgnored?.()) return;
    if (pdu.command === "unbind" && options.answersUnbind === false) return;
    obliging(pdu, peer);
  });

  const config = configOf(
    document({
      operators: options.operators?.(smsc.port) ?? {
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: [
            connection({ host: "127.0.0.1", port: smsc.port, throughput: 10_000, ...options.connection }),
          ],
          ...options.operator,
        }),
      },
    }),
  );
  let delivery: RigDelivery | null = null;
  const base = tenants(
    config,
    (batchId) => delivery?.offer(batchId),
    (...asked) => (options.waits ? null : (delivery?.takeFastPathSlot(...asked) ?? null)),
  );
  const { clock, store } = base;
  const log = testLog();
  const start = (): RigDelivery => {
    const deps = {
      settings: settingsHolder(options.altered?.(config) ?? config),
      store: options.store?.(store) ?? store,
      clock: options.clock?.(clock) ?? clock,
      log,
    };
    const edges = {
      dial: systemDial,
      https: systemHttps,
      chance: seededChance(1),
      readNumber: createSenderReader(config),
      onInboundKept: () => {},
      readPem: () => null,
    };
    const { open, status } = smppWorkers({ ...deps, ...edges });
    return {
      ...startDelivery({
        ...deps,
        openWorkers: [open],
        recoverClaim: recoverClaim(deps.settings),
        mayClaim: () => true,
      }),
      status,
    };
  };
  delivery = start();

  const stopDelivery = async (graceMs = 0): Promise<void> => {
    let stopped = false;
    const stopping = delivery?.stop(graceMs).then(() => {
      stopped = true;
    });
    while (!stopped) await clock.advance(1000);
    await stopping;
    delivery = null;
  };

  return {
    ...base,
    smsc,
    submits,
    lines: log.lines,
    delivery: () => delivery!,
    receipt: async (id, stat, to = "70000001", more = {}) => {
      const sequence = 1_000_000 + receipts++;
      peerNow!.send({
        command: "deliver_sm",
        sequence,
        status: 0,
        message: shortMessage({
          sourceAddr: `226${to}`,
          destinationAddr: "ACME",
          esmClass: 0x04,
          shortMessage: new Uint8Array(
            Buffer.from(
              `id:${id} sub:001 dlvrd:001 submit date:2603020900 done date:2603020900 stat:${stat} err:000 text:`,
            ),
          ),
          ...more,
        }),
      });
      await until(() => answered.has(sequence));
      return answered.get(sequence)!;
    },
    until,
    untilAll: (status, count) =>
      until(
        () =>
          store.read.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE status = ?", status)?.n ===
          count,
      ),
    settle: () => clock.advance(0),
    restart: async () => {
      if (delivery) await stopDelivery();
      delivery = start();
    },
    stopDelivery,
    close: async () => {
      if (delivery) await stopDelivery();
      smsc.stop();
      await base.close();
    },
  };
}

export { until };

/** Makes the line of each test of a file, and closes it after the test. */
export function rigOfEachTest(): (options?: RigOptions) => Rig {
  let open: Rig | null = null;
  afterEach(async () => {
    await open?.close();
    open = null;
  });
  return (options = {}) => {
    open = rig(options);
    return open;
  };
}

/** Lets the socket deliver what is under way, when nothing is expected to arrive. */
export async function quiet({ settle }: Rig): Promise<void> {
  for (let round = 0; round < 5; round++) await settle();
}
