import type { RuleName } from "./rules.ts";

/** What is wrong, in a few words and in whole sentences, and what to do about it. A name in braces stands for a fact. */
export type Words = { readonly title: string; readonly detail: string; readonly action: string };

export type AlarmWords = Readonly<Record<RuleName | "test", Words>>;
