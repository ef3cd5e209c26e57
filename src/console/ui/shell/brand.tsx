import { words } from "../words/words.ts";

/** The bendre, a drum made of a calabash, and its name. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <ellipse cx="12" cy="7" rx="9" ry="3" class="brand-skin" />
        <path d="M3 7c0 9 4 14 9 14s9-5 9-14" class="brand-body" />
      </svg>
      {words.value.brand}
    </span>
  );
}
