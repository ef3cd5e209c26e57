import type { UserLanguage } from "../../domain/accounts/role.ts";

/** What somebody reads: what they chose, else what their browser asks for, else French. */
export function resolveLanguage(headers: Headers, chosen: UserLanguage | null): UserLanguage {
  if (chosen !== null) return chosen;
  const first = (headers.get("accept-language") ?? "")
    .split(",")
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .find((tag) => tag === "fr" || tag === "en");
  return first === "en" ? "en" : "fr";
}
