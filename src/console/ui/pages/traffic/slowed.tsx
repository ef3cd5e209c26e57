import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";

/** What says "too fast": of SMPP ESME_RTHROTTLED, of Meta its limit of a number. */
const TOO_FAST = { SMPP: "0x58", META: "130429" };

type SlowedProps = {
  readonly by: keyof typeof TOO_FAST;
  /** Who asks for less. */
  readonly who: string;
  readonly paces: readonly {
    readonly rate: number;
    readonly throughput: number;
    readonly throttled: number;
  }[];
};

/** Why less leaves than the configuration allows, and what helps; nothing where all of it may. */
export function Slowed({ by, who, paces }: SlowedProps) {
  const slow = paces.filter(({ rate, throughput }) => rate < throughput);
  if (slow.length === 0) return null;
  const sum = (of: (pace: SlowedProps["paces"][number]) => number) =>
    slow.reduce((all, one) => all + of(one), 0);
  const words = traffic.value.operators;
  const [granted, asked] = [sum(({ rate }) => rate), sum(({ throughput }) => throughput)];
  const complaints = sum(({ throttled }) => throttled);
  return (
    <p class="notice">
      {complaints > 0 && `${figures.count(complaints, words.tooFast({ who, code: TOO_FAST[by] }))} `}
      {words.slowed({ granted: figures.number(granted), asked: figures.number(asked) })}
    </p>
  );
}
