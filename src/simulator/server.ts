/** The simulated operator's server: its socket, and the controls for a test or a person. */
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, errorText, type Log } from "../core/log.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import { type DefaultAlphabet, encodeGsm } from "../text/gsm-alphabet.ts";
import { split } from "../text/segments.ts";
import { encodeUcs2 } from "../text/ucs2.ts";
import { concatenationHeader } from "../text/udh.ts";
import { type SmscEvent, type SmscStats, toSmscStats } from "./events.ts";
import type { GarbageKind } from "./garbage.ts";
import { type DropMode, PLAIN, type Quirks } from "./quirks.ts";
import { SimulatedSession } from "./session.ts";
import { SmscState, type User } from "./smsc-state.ts";

export type SmscOptions = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** 0: any free one. Only 127.0.0.1 is listened on. */
  readonly port: number;
  /** Empty, and the default: anybody may bind. */
  readonly users?: readonly User[];
  /** What differs from an operator that does everything right and at once. */
  readonly quirks?: Partial<Quirks>;
  /** Key and certificate chain as PEM texts: SMPP inside TLS. Absent or null: plain TCP. */
  readonly tls?: { readonly key: string; readonly certificate: string } | null;
  /** What data_coding 0 means here; "gsm" unless given. */
  readonly defaultAlphabet?: DefaultAlphabet;
  /** Refuses whatever breaks a rule of the protocol, to show a client's faults; else it is as lenient as real SMSCs. */
  readonly isStrict?: boolean;
  /** Called with every event, in order. Must not throw. */
  readonly onEvent?: (event: SmscEvent) => void;
};

export type Smsc = {
  readonly port: number;
  readonly stats: () => SmscStats;
  readonly quirks: () => Quirks;
  /** Changes quirks from the next submit_sm on. */
  readonly change: (quirks: Partial<Quirks>) => void;
  /**
   * Sends a text from a handset (deliver_sm), to a system_id, or to the one that bound last. It waits like a receipt until
   * a session can take it. False when none ever bound and none is named.
   */
  readonly sendMo: (from: string, to: string, text: string, systemId?: string) => boolean;
  /** Ends every session without an unbind; by "rst" unless given. */
  readonly dropLinks: (mode?: DropMode) => void;
  /** Asks every bound session to unbind. */
  readonly unbindLinks: () => void;
  /** Reads nothing from any session for so many milliseconds; 0: for ever. */
  readonly stallLinks: (forMs: number) => void;
  /** Writes octets that are no valid PDU to every session. */
  readonly sendGarbage: (kind: GarbageKind) => void;
  /** Unbinds and closes every session, and frees the port. Waiting receipts are lost. */
  readonly stop: () => Promise<void>;
};

type Links = Map<Bun.Socket<undefined>, SimulatedSession>;

/** Starts listening. @throws the runtime's error when the port is taken. */
export function startSmsc(options: SmscOptions): Promise<Smsc> {
  let lastBound: string | null = null;
  const smsc = new SmscState({
    clock: options.clock,
    chance: options.chance,
    quirks: { ...PLAIN, ...options.quirks },
    users: options.users ?? [],
    defaultAlphabet: options.defaultAlphabet ?? "gsm",
    isStrict: options.isStrict ?? false,
    onEvent: (event) => {
      if (event.kind === "bound") lastBound = event.systemId;
      options.onEvent?.(event);
    },
  });
  const links: Links = new Map();
  const listener = listen(options, smsc, links);
  smsc.emit({ kind: "listening", port: listener.port });
  const each = (act: (link: SimulatedSession) => void): void => {
    for (const link of [...links.values()]) act(link);
  };
  return Promise.resolve({
    port: listener.port,
    quirks: () => smsc.quirks,
    change: (quirks) => {
      smsc.quirks = { ...smsc.quirks, ...quirks };
    },
    stats: () => sumsOf(smsc, links),
    sendMo: (from, to, text, systemId) => {
      const owner = systemId ?? lastBound;
      if (owner === null) return false;
      for (const message of replyMessage(from, to, text, smsc.quirks)) {
        smsc.findMailbox(owner).post({ command: "deliver_sm", message, link: null, elsewhere: false });
      }
      return true;
    },
    dropLinks: (mode = "rst") => each((link) => link.drop(mode)),
    unbindLinks: () => each((link) => link.askToUnbind()),
    stallLinks: (forMs) => each((link) => link.stall(forMs)),
    sendGarbage: (kind) => each((link) => link.sendGarbage(kind)),
    stop: async () => {
      smsc.close();
      listener.stop();
      each((link) => link.stop());
      await new Promise<void>((resolve) => options.clock.soon(resolve));
      for (const socket of [...links.keys()]) socket.terminate();
      smsc.emit({ kind: "stopped", stats: sumsOf(smsc, links) });
    },
  });
}

function listen({ port, tls = null, log }: SmscOptions, smsc: SmscState, links: Links) {
  let opened = 0;
  return Bun.listen<undefined>({
    hostname: "127.0.0.1",
    port,
    ...(tls !== null && { tls: { key: tls.key, cert: tls.certificate } }),
    socket: {
      open: (socket) => {
        opened += 1;
        socket.setNoDelay(true);
        const link = new SimulatedSession(smsc, opened, socket);
        links.set(socket, link);
        link.open();
      },
      data: (socket, chunk) => {
        const link = links.get(socket);
        if (!link) return;
        try {
          link.received(chunk);
        } catch (error) {
          log.error("the simulated operator failed", { ...errorFields(error) });
          socket.terminate();
        }
      },
      drain: (socket) => links.get(socket)?.writer.flush(),
      close: (socket) => {
        const link = links.get(socket);
        links.delete(socket);
        link?.closed();
      },
      error: (_socket, error) => log.debug("link failed", { error: errorText(error) }),
    },
  });
}

function sumsOf(smsc: SmscState, links: Links): SmscStats {
  return toSmscStats(smsc.tally, {
    links: links.size,
    incompleteTexts: smsc.handsets.incomplete(),
    receiptsWaiting: smsc.receiptsWaiting(),
  });
}

const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const ISDN = 1;
const UCS2 = 0x08;

/** The quirks of texts from handsets. */
type ReplyQuirks = Pick<Quirks, "textCoding" | "numberSpelling">;

/** Makes the deliver_sm of a handset's text, one for each part (SMPP 3.4 section 4.6.1). */
function replyMessage(
  from: string,
  to: string,
  text: string,
  quirks: ReplyQuirks = PLAIN,
): readonly ShortMessage[] {
  const { encoding, parts } = split(text);
  const isNumber = /^\d+$/.test(to);
  return parts.map((piece, index) => {
    const plain = quirks.textCoding === "standard" && encoding === "GSM7" ? encodeGsm(piece) : null;
    const { octets, dataCoding } = plain
      ? { octets: plain, dataCoding: 0 }
      : wide(piece, quirks, index === 0);
    const header = concatenationHeader({ reference: 1, total: parts.length, part: index + 1 });
    return shortMessage({
      sourceAddrTon: INTERNATIONAL,
      sourceAddrNpi: ISDN,
      sourceAddr: spelt(from, quirks),
      destAddrTon: isNumber ? INTERNATIONAL : ALPHANUMERIC,
      destAddrNpi: isNumber ? ISDN : 0,
      destinationAddr: to,
      esmClass: parts.length > 1 ? ESM_UDHI : 0,
      dataCoding,
      shortMessage: parts.length > 1 ? Buffer.concat([header, octets]) : octets,
    });
  });
}

/** data_coding of UCS-2 with message class 1 (3GPP TS 23.038 section 4). */
const UCS2_CLASS_1 = 0x19;

/** A part of a text in UCS-2, coded as an operator does. Only the first part begins with a byte order mark. */
function wide(
  piece: string,
  { textCoding }: ReplyQuirks,
  isFirst: boolean,
): { readonly octets: Uint8Array; readonly dataCoding: number } {
  switch (textCoding) {
    case "standard":
      return { octets: encodeUcs2(piece), dataCoding: UCS2 };
    case "ucs2_class":
      return { octets: encodeUcs2(piece), dataCoding: UCS2_CLASS_1 };
    case "ucs2_as_default":
      return { octets: encodeUcs2(piece), dataCoding: 0 };
    case "ucs2_little_endian": {
      const marked = encodeUcs2(isFirst ? `\ufeff${piece}` : piece);
      return { octets: new Uint8Array(Buffer.from(marked).swap16()), dataCoding: UCS2 };
    }
  }
}

/** The digits of a national number (E.164: Burkina Faso and most of its neighbours have eight). */
const NATIONAL_DIGITS = 8;

function spelt(number: string, { numberSpelling }: ReplyQuirks): string {
  switch (numberSpelling) {
    case "international":
      return number;
    case "national":
      return number.slice(-NATIONAL_DIGITS);
    case "double_zero":
      return `00${number}`;
  }
}
