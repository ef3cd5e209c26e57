/**
 * Everything that was seen in a run, put together so that a rule can look at it: requests with their answers, commands with their
 * outcomes, lives, settings, events and PDUs as they went by, and the world as it must be (accounts, submissions, batches, messages).
 *
 * Made once, in one go, from observations alone. Later rules rest on what stands here and never on `src`.
 */
import type { Observation } from "../observation.ts";
import { type Account, accountsOf } from "./accounts.ts";
import { type Commanded, commandsOf, type Exchange, exchangesOf } from "./exchanges.ts";
import { batchesOf, type ExpectedBatch } from "./expected.ts";
import { type Json, jsonReaders } from "./json.ts";
import { readSettings, type Settings } from "./settings.ts";
import { type Sightings, sightingsOf } from "./sightings.ts";
import { smppBatchesOf } from "./smpp-batches.ts";
import { type SmppClients, smppClientsOf } from "./smpp-clients.ts";
import { type Submission, submissionsOf } from "./submissions.ts";
import { templateTexts } from "./templates.ts";

export type History = {
  /** As they were seen, in order: for rules that look at the whole (PDUs, coverage). */
  readonly observations: readonly Observation[];
  readonly exchanges: readonly Exchange[];
  readonly commands: readonly Commanded[];
  readonly lives: readonly Life[];
  /** What was put in force, oldest first. */
  readonly settings: readonly SettingsInForce[];
  readonly events: readonly SeenEvent[];
  readonly pdus: readonly SeenPdu[];
  readonly links: readonly SeenLink[];
  /** When the world had come to rest; null when it never did. What was asked after it is the final truth. */
  readonly restAtMs: number | null;
  readonly endAtMs: number;
  /** It ended before everything that waits for hours could come to its end: a real run has no hours. */
  readonly isCutShort: boolean;
  /** By the workload's names. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly submissions: readonly Submission[];
  readonly sightings: Sightings;
  /** What SMPP clients and the appliance exchanged. */
  readonly smpp: SmppClients;
  /** Acknowledged ones first, then those that only may exist, and those of SMPP clients. */
  readonly batches: readonly ExpectedBatch[];
};

export type Life = {
  readonly life: number;
  readonly startedAtMs: number;
  readonly readyAtMs: number | null;
  readonly stoppingAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly end: "stopped" | "killed" | "power lost" | "failed" | null;
};

export type SettingsInForce = Settings & { readonly atMs: number };

export type SeenEvent = {
  readonly id: number;
  readonly atMs: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: Json;
  /** What the receiver wrote, and when; null while it had not. */
  readonly answer: number | "broken" | "silent" | null;
  readonly answeredAtMs: number | null;
};

export type SeenPdu = Extract<Observation, { kind: "pdu" }>;

export type SeenLink = {
  readonly link: number;
  readonly centre: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly why: string | null;
};

/** Puts together what was seen; `isCutShort` of a run that could not wait for hours. */
export function historyOf(observations: readonly Observation[], isCutShort = false): History {
  const exchanges = exchangesOf(observations);
  const commands = commandsOf(observations);
  const settings = observations.flatMap((seen) =>
    seen.kind === "settings" ? [{ ...readSettings(seen.document), atMs: seen.atMs }] : [],
  );
  const accounts = accountsOf(commands);
  const submissions = submissionsOf(exchanges, accounts.values(), templateTexts(observations));
  const sightings = sightingsOf(exchanges, commands, accounts);
  const region = settings[0]?.region ?? "BF";
  const smpp = smppClientsOf(observations, commands, accounts);
  const submitted = batchesOf(submissions, sightings, region);
  const taken = new Set(submitted.flatMap(({ batchId }) => batchId ?? []));
  return {
    isCutShort,
    observations,
    exchanges,
    commands,
    settings,
    accounts,
    submissions,
    sightings,
    lives: livesOf(observations),
    events: eventsOf(observations),
    pdus: observations.filter((seen) => seen.kind === "pdu"),
    links: linksOf(observations),
    restAtMs: observations.find(({ kind }) => kind === "rest")?.atMs ?? null,
    endAtMs: observations.at(-1)?.atMs ?? 0,
    smpp,
    batches: [...submitted, ...smppBatchesOf(smpp.texts, sightings, taken, region)],
  };
}

function livesOf(observations: readonly Observation[]): readonly Life[] {
  const lives = new Map<number, Life>();
  for (const seen of observations) {
    if (seen.kind !== "life") continue;
    const { life, what, atMs } = seen;
    const known = lives.get(life) ?? {
      life,
      startedAtMs: atMs,
      readyAtMs: null,
      stoppingAtMs: null,
      endedAtMs: null,
      end: null,
    };
    switch (what) {
      case "starting":
        lives.set(life, { ...known, startedAtMs: atMs });
        break;
      case "ready":
        lives.set(life, { ...known, readyAtMs: atMs });
        break;
      case "stopping":
        lives.set(life, { ...known, stoppingAtMs: atMs });
        break;
      default:
        lives.set(life, { ...known, endedAtMs: atMs, end: what });
    }
  }
  return [...lives.values()];
}

function eventsOf(observations: readonly Observation[]): readonly SeenEvent[] {
  const answers = new Map<number, Extract<Observation, { kind: "event answer" }>>();
  for (const seen of observations) if (seen.kind === "event answer") answers.set(seen.id, seen);
  const reader = jsonReaders();
  return observations.flatMap((seen) => {
    if (seen.kind !== "event") return [];
    const { id, atMs, url, headers } = seen;
    const answer = answers.get(id);
    const json = reader(() => seen.body);
    return {
      id,
      atMs,
      url,
      headers,
      get body() {
        return seen.body;
      },
      get json() {
        return json();
      },
      answer: answer?.answer ?? null,
      answeredAtMs: answer?.atMs ?? null,
    };
  });
}

function linksOf(observations: readonly Observation[]): readonly SeenLink[] {
  const links = new Map<number, SeenLink>();
  for (const seen of observations) {
    if (seen.kind !== "link") continue;
    const { link, centre, atMs } = seen;
    const known = links.get(link) ?? { link, centre, openedAtMs: atMs, closedAtMs: null, why: null };
    links.set(link, seen.state === "open" ? known : { ...known, closedAtMs: atMs, why: seen.why ?? null });
  }
  return [...links.values()];
}
