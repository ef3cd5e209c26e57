import type { ConfigChange } from "../../config/changes.ts";
import type { Phrase } from "../../i18n/phrase.ts";

/** A change of the configuration with what it does. */
export type ConfigChangeView = ConfigChange & {
  /** Messages that wait for the operator, where it goes. */
  readonly waiting: number;
  /** Of a table that is added: the keys in it that the file leaves out, as `connections[0].window`. */
  readonly defaults: readonly string[];
  /** What it does, and to whom. */
  readonly consequence: Phrase;
};

/** What a reload came to. */
export type ConfigReloadView = {
  readonly file: string;
  /** What is in force from now on. */
  readonly changes: readonly ConfigChangeView[];
  /** What waits for a restart. */
  readonly restart: readonly ConfigChangeView[];
};
