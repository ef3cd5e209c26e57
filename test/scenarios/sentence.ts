/**
 * One sentence of a document that promises something. `id` is its section's number and its place in the section: "4.1.3"
 * is the third of section 4.1. `awaits` names what must be built before a test can keep it.
 */
export type Sentence = { readonly id: string; readonly says: string; readonly awaits?: string };
