/** What is typed into a form. */
import { useState } from "preact/hooks";

/** A draft by the names of its fields; `bind` is what a field of a form needs to show and to change one of them. */
export function useDraft<Draft extends object>(initial: Draft) {
  const [draft, setDraft] = useState(initial);
  const put = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const bind = <Name extends keyof Draft & string>(name: Name) => ({
    name,
    value: draft[name],
    onValue: (value: Draft[Name]) => put({ [name]: value } as unknown as Partial<Draft>),
  });
  return { draft, put, bind };
}

/** The fields of `after` that differ from `before`: an edit sends nothing else. */
export function listChanges<Body extends object>(before: Body, after: Body): Partial<Body> {
  const old = new Map(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name))),
  ) as Partial<Body>;
}
