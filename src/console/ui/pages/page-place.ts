import type { ComponentType } from "preact";
import type { CommonWords } from "../../../i18n/words.gen.d.ts";
import type { Permission } from "../../server/contract.ts";

/** Where a page is, who sees it and what it is called. */
export type PageEntry = {
  /** As in `/console/batches/:batch`; its parts are the component's `parts`. */
  readonly path: string;
  readonly component: ComponentType<{ readonly parts: Readonly<Record<string, string>> }>;
  /** The operation of the table of roles that it needs; null: everybody who is signed in. */
  readonly capability: Permission | null;
  /** Where the navigation has it; null where only other pages lead to it. */
  readonly entry: {
    readonly group: keyof CommonWords["navigation"];
    readonly name: (words: CommonWords) => string;
    /** The letter after `g`. */
    readonly letter: string;
  } | null;
};
