import { stateWord } from "../words/words.ts";
import { ToneIcon, type Tone } from "./sign.tsx";

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
  const tone = TONES[state] ?? "idle";
  return (
    <span class={`badge ${tone}`}>
      <ToneIcon tone={tone} />
      {stateWord(state)}
    </span>
  );
}
