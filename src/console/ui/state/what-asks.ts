/** What a second factor is asked for again: people are told that, and nothing else. */
export type ConfirmedFor = "users" | "keys" | "money";

/** By the route that asks for it, such as `POST /users`. Pure. */
export function whatAsks(route: string): ConfirmedFor {
  const [, path = ""] = route.split(" ");
  if (path.startsWith("/users")) return "users";
  return path.includes("/keys") ? "keys" : "money";
}
