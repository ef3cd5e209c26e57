/** What a second factor is asked for again: people are told that, and nothing else. */
export type ConfirmedFor = "users" | "keys" | "money" | "check";

/** By the route that asks for it, such as `POST /users`. Pure. */
export function deriveConfirmedFor(route: string): ConfirmedFor {
  const [, path = ""] = route.split(" ");
  if (path.startsWith("/users")) return "users";
  if (path.includes("/keys")) return "keys";
  // Looked at before it is booked: whoever gives the code has not paid anything in yet.
  return path.endsWith("/preview") ? "check" : "money";
}
