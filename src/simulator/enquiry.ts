import type { Cancel } from "../base/clock.ts";
import type { Centre } from "./centre.ts";

/** Asks a link from time to time whether it is there. */
export type Enquiry = {
  /** It answered. */
  readonly answered: () => void;
  readonly stop: () => void;
};

export type EnquiryOptions = {
  readonly centre: Pick<Centre, "clock" | "quirks">;
  readonly isBound: () => boolean;
  /** Nothing is read from the link: its silence says nothing. */
  readonly isStalled: () => boolean;
  readonly ask: () => void;
  /** The last one was not answered before the next was due. */
  readonly unanswered: () => void;
};

export function enquiry({ centre, isBound, isStalled, ask, unanswered }: EnquiryOptions): Enquiry {
  let isWaiting = false;
  let cancel: Cancel = () => {};
  const waitAndAsk = (): void => {
    cancel = centre.clock.after(centre.quirks().enquireLinkMs, () => {
      if (isWaiting && !isStalled()) {
        unanswered();
        return;
      }
      if (isBound()) {
        isWaiting = true;
        ask();
      }
      waitAndAsk();
    });
  };
  waitAndAsk();
  return {
    answered: () => {
      isWaiting = false;
    },
    stop: () => cancel(),
  };
}
