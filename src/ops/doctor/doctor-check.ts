import type { Phrase } from "../../i18n/phrase.ts";

/**
 * What `doctor` found of one part of the installation, and what to do about it. Checks are functions of facts; who gathers the facts
 * stands beside them. Never holds a secret: files and names, no contents (docs/administration.md#doctor).
 */
export type DoctorCheck = {
  /** What part it is of. */
  readonly name: Phrase;
  /** "warning": it works, and somebody should look. "error": it does not work, or will not when it is needed. */
  readonly status: "ok" | "warning" | "error";
  readonly detail: Phrase;
  /** What to do; null where nothing is to be done. */
  readonly action: Phrase | null;
};

export function sound(name: Phrase, detail: Phrase): DoctorCheck {
  return { name, status: "ok", detail, action: null };
}

export function warns(name: Phrase, detail: Phrase, action: Phrase): DoctorCheck {
  return { name, status: "warning", detail, action };
}

export function fails(name: Phrase, detail: Phrase, action: Phrase): DoctorCheck {
  return { name, status: "error", detail, action };
}
