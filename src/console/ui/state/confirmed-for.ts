/** What the second factor is asked for again: people read that, and nothing else. */
export type ConfirmedFor = "users" | "keys" | "settings" | "money" | "check";

/** By the route that needs it, such as `POST /users`. Pure. */
export function deriveConfirmedFor(route: string): ConfirmedFor {
  const [, path = ""] = route.split(" ");
  if (path.startsWith("/users") || path.includes("/smpp")) return "users";
  if (path.includes("/keys")) return "keys";
  if (path.startsWith("/settings")) return "settings";
  // The preview before booking: whoever gives the code has not paid anything in yet.
  return path.endsWith("/preview") ? "check" : "money";
}
