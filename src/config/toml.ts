import type { TomlPlace } from "./broken-toml.ts";

export type Toml =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly problem: string };

/** Decodes a TOML text. The problem of a broken one names no place: `tomlPosition` finds it. */
export function parseToml(text: string): Toml {
  try {
    return { ok: true, document: Bun.TOML.parse(text) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: problem.replace(/^TOML Parse error: /, "") };
  }
}

/**
 * Finds where the broken TOML file at an absolute `path` breaks. The runtime's parser knows the place only when
 * it loads a file itself. Null when the place cannot be told, or when the file no longer holds `text`.
 */
export async function tomlPosition(path: string, text: string): Promise<TomlPlace | null> {
  try {
    await import(path, { with: { type: "toml" } });
    return null;
  } catch (error) {
    if (!(error instanceof BuildMessage) || error.position === null) return null;
    const { line, column } = error.position;
    const lineText = text.split(/\r?\n/)[line - 1];
    return lineText?.trim() === error.position.lineText.trim() ? { line, column, lineText } : null;
  }
}
