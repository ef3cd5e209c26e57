import type { WaIdForm } from "./wa-id.ts";

/** A code that some posts meet, and how: as the answer to the post, or as a `failed` status after it was accepted. */
export type Failure = { readonly code: number; readonly share: number; readonly as: "answer" | "status" };

/** What `bendre whatsapp-sim` was told. Shares are from 0 to 1. */
export type WhatsappSimSettings = {
  readonly port: number;
  /** Where statuses are posted; null: nowhere. */
  readonly webhook: string | null;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** All that happens by chance follows from it. */
  readonly seed: number;
  /** Statuses that are never told. */
  readonly lose: number;
  /** Posts that are taken and never answered. */
  readonly loseAnswers: number;
  /** Statuses that are told twice. */
  readonly double: number;
  /** Up to so many milliseconds more before a status is told, each its own: statuses overtake each other. */
  readonly disorderMs: number;
  readonly failures: readonly Failure[];
  /** Users whom Meta calls by another number than the one that is written to. */
  readonly waIds: readonly (WaIdForm | "usual")[];
  /** Numbers that are not there, or that no token may see, by their phone number ids. */
  readonly gone: readonly string[];
  /** About so long from the answer to the handset. */
  readonly delayMs: number;
  /** Delivered messages that are read too; of a third of them only that is told. */
  readonly read: number;
  /** Delivered messages that Meta bills nobody for. */
  readonly free: number;
  /** Posts a second that one number may make; 0: no limit. */
  readonly throughput: number;
  /** Between two posts to one user; 0: no limit. */
  readonly pairMs: number;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly control: boolean;
};

export const SIM_DEFAULTS: WhatsappSimSettings = {
  port: 2776,
  webhook: null,
  appSecret: "simulated-app-secret",
  verifyToken: "simulated-verify-token",
  seed: 1,
  lose: 0,
  loseAnswers: 0,
  double: 0,
  disorderMs: 0,
  failures: [],
  waIds: [],
  gone: [],
  delayMs: 500,
  read: 0.3,
  free: 0,
  throughput: 80,
  pairMs: 6000,
  quiet: false,
  json: false,
  control: false,
};
