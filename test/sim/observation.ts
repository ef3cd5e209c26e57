/**
 * What anybody can see of an appliance from outside: requests and answers, PDUs, events, commands, starts and deaths. The auditor
 * knows these and nothing else. Whoever runs an appliance, simulated or real, writes them down in the order they happened.
 *
 * Nothing here is imported from `src/`, so that no mistake is shared with it.
 */

/** Something seen, and when. */
export type Observation = Seen & {
  /** True time since the run began, milliseconds. No wall clock: it never jumps. */
  readonly atMs: number;
};

export type Seen = Asked | Linked | Bound | Posted | Told | Administered | Lived | Circumstances;

/** Client and API. `id` is the run's own number of a request; it stands in no header. */
type Asked =
  | {
      readonly kind: "request";
      readonly id: number;
      /** The account's name, as the workload calls it; "nobody" without a good key. */
      readonly client: string;
      readonly method: "GET" | "POST";
      /** With the query string. */
      readonly path: string;
      /** Names in lower case. Whether it arrived, nobody knows but by its answer. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    }
  /** What the client got, whole. */
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** The connection broke or nothing came in time: the client cannot know what became of it. */
  | { readonly kind: "no answer"; readonly id: number };

/** Appliance and operators. `centre` names an SMSC account (host, port, system_id); operators may share one. */
type Linked =
  | {
      readonly kind: "link";
      readonly centre: string;
      /** Unique in the run. */
      readonly link: number;
      readonly state: "open" | "closed";
      /** Of an end: who or what ended it, for people. */
      readonly why?: string;
    }
  | {
      readonly kind: "pdu";
      readonly centre: string;
      readonly link: number;
      readonly from: "appliance" | "centre";
      /**
       * Where it was seen: whole in the hands of the centre (read or written there), or whole in those of the appliance. What the
       * centre wrote and the network lost is seen at the centre only. A real run sees the centre's end alone.
       */
      readonly at: "centre" | "appliance";
      /** The whole PDU, header included. */
      readonly octets: Uint8Array;
    };

/** Customers' SMPP clients and the appliance. `user` is the system_id that a client goes by; `link` is unique in the run. */
type Bound =
  | {
      readonly kind: "client link";
      readonly user: string;
      readonly link: number;
      readonly state: "open" | "closed";
      /** Of an end: who or what ended it, for people. */
      readonly why?: string;
    }
  | {
      readonly kind: "client pdu";
      readonly user: string;
      readonly link: number;
      readonly from: "client" | "appliance";
      /** Where it was seen whole: what was written at one end and lost is not seen at the other. */
      readonly at: "client" | "appliance";
      /** The whole PDU, header included. */
      readonly octets: Uint8Array;
    };

/** Appliance and Meta's Cloud API, seen by the latter but for `post heard`. `id` is the run's own number of a post, a list or a call. */
type Posted =
  | {
      readonly kind: "post";
      readonly id: number;
      /** The number that it is posted by, as Meta calls it. */
      readonly phone: string;
      readonly token: string;
      readonly body: string;
      /** As the user would read it; null where it cannot be read. */
      readonly text: string | null;
      /** The category that its template has at Meta by then, or that it names itself; in lower case. */
      readonly category: string | null;
    }
  /** What was answered, if anything whole was, and Meta's id if the message was taken, whatever was answered. */
  | {
      readonly kind: "post answer";
      readonly id: number;
      readonly answer: number | "broken" | "silent";
      readonly code: number | null;
      readonly wamid: string | null;
      readonly isBillable: boolean;
    }
  /** The answer is in the hands of the appliance. */
  | { readonly kind: "post heard"; readonly id: number }
  /** What Meta has of a template from here on. `quality`: what it thinks of it. */
  | {
      readonly kind: "template";
      readonly name: string;
      readonly status: string;
      readonly category: string;
      readonly quality: string;
      readonly body: string;
    }
  /** A reading of the templates was answered. */
  | { readonly kind: "templates read"; readonly id: number; readonly status: number }
  /** A call of the webhook. `isForged`: its signature is another's. */
  | { readonly kind: "call"; readonly id: number; readonly body: string; readonly isForged: boolean }
  /** What it was answered with; null: nothing came. */
  | { readonly kind: "call answer"; readonly id: number; readonly status: number | null };

/** Appliance and webhook endpoints, seen by the receiver. */
type Told =
  | {
      readonly kind: "event";
      readonly id: number;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** What the receiver wrote; "broken" and "silent": nothing whole. Whether it arrived, nobody knows. */
  | { readonly kind: "event answer"; readonly id: number; readonly answer: number | "broken" | "silent" };

/** Commands of the administration: words as typed (`batch cancel`), arguments by their names (docs/administration.md). */
type Administered =
  | {
      readonly kind: "command";
      readonly id: number;
      readonly name: string;
      readonly args: Readonly<Record<string, string>>;
    }
  | { readonly kind: "outcome"; readonly id: number; readonly ok: true; readonly data: unknown }
  | {
      readonly kind: "outcome";
      readonly id: number;
      readonly ok: false;
      readonly code: string;
      readonly detail: string;
    }
  /** Broken off by the end of the server: done whole, or not at all. */
  | { readonly kind: "no outcome"; readonly id: number };

type Lived =
  | {
      readonly kind: "life";
      /** 1 for the first process. */
      readonly life: number;
      /**
       * `killed`: the process ends, what it wrote is there. `power lost`: what was not synced may be gone, torn or there. `failed`:
       * it ended by itself, or did not start, with a reason.
       */
      readonly what: "starting" | "ready" | "stopping" | "stopped" | "killed" | "power lost" | "failed";
      readonly detail?: string;
    }
  /** The configuration as a document of the file's own form (docs/administration.md#2-configuration), in force from here on. */
  | { readonly kind: "settings"; readonly document: Readonly<Record<string, unknown>> };

/** What the world did to it. */
type Circumstances =
  /** The wall clock was set by so much, forward or back. */
  | { readonly kind: "clock"; readonly byMs: number }
  | { readonly kind: "disk"; readonly state: DiskState }
  /** Others keep the machine busy: what the process does takes its time. */
  | { readonly kind: "machine"; readonly state: "busy" | "well" }
  /** A copy has taken the place of the data, between two lives. `fromMs` to `toMs`: when it was made. */
  | { readonly kind: "restored"; readonly fromMs: number; readonly toMs: number }
  /** A fault that was injected, by the name of its kind: for coverage and for the story. No rule depends on it. */
  | { readonly kind: "fault"; readonly name: string; readonly detail: string }
  /**
   * The world has done its worst: links hold, receivers and operators answer, and enough time has passed for everything that
   * waits to end. What is asked from here on must be the final truth.
   */
  | { readonly kind: "rest" };

/** Takes what was seen; the time is the recorder's. */
export type Observe = (seen: Seen) => void;

/** "reserved": less is free than the reserve; "spent": less than half of it. Both take what is written. */
export type DiskState = "full" | "read only" | "reserved" | "spent" | "well";
