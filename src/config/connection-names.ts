import { type ConnectionConfig, smscAccount } from "./config.ts";

type Named = Pick<ConnectionConfig, "host" | "port" | "system_id" | "bind">;

/**
 * A name for each of an operator's connections, in their order: what it binds to and as what, and which of those that are
 * alike. It stays when others come before it or go, and whatever else is said of it changes.
 */
export function connectionNames(connections: readonly Named[]): string[] {
  const seen = new Map<string, number>();
  return connections.map((connection) => {
    const plain = `${connection.bind} ${smscAccount(connection)}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return count === 1 ? plain : `${plain} (${count})`;
  });
}
