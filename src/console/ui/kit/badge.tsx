/** States as a word with a sign. */
import type { ComponentChildren } from "preact";
import { stateWord } from "../words/words.ts";

const TONES: Readonly<Record<string, Tone>> = {
  BOUND: "good",
  DELIVERED: "good",
  SETTLED: "good",
  ACTIVE: "good",
  REGISTERED: "good",
  CONNECTING: "busy",
  BINDING: "busy",
  SENDING: "busy",
  VALIDATING: "busy",
  SUBMITTED: "busy",
  SENT: "busy",
  QUEUED: "wait",
  SCHEDULED: "wait",
  WAITING: "wait",
  REQUESTED: "wait",
  APPROVED: "wait",
  PAUSED: "wait",
  PARTLY_REGISTERED: "wait",
  SUSPENDED: "wait",
  FAILED: "bad",
  STOPPED: "bad",
  UNREACHABLE: "bad",
  REJECTED: "bad",
};

/** A state as word and sign; the colour only repeats it. */
export function StateBadge({ state }: { readonly state: string }) {
  return <Badge tone={TONES[state] ?? "idle"}>{stateWord(state)}</Badge>;
}

type BadgeProps = { readonly tone: Tone; readonly children: ComponentChildren };

/** A word with its sign. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`}>
      <ToneIcon tone={tone} />
      {children}
    </span>
  );
}

/** What a sign means; the colour only repeats it. */
export type Tone = "good" | "busy" | "wait" | "bad" | "idle";

const PATHS: Readonly<Record<Tone, string>> = {
  good: "M2 6.5 5 9.5 10 3",
  busy: "M2 6h8M7 3l3 3-3 3",
  wait: "M6 2.5V6l2.5 1.5M6 1a5 5 0 1 0 .01 0",
  bad: "M3 3l6 6M9 3l-6 6",
  idle: "M2.5 6h7",
};

/** A small sign that is drawn, for not every device has the letters; what it means stands beside it in words. */
export function ToneIcon({ tone }: { readonly tone: Tone }) {
  return (
    <svg class="sign" viewBox="0 0 12 12" aria-hidden="true">
      <path d={PATHS[tone]} />
    </svg>
  );
}
