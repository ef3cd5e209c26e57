/** Writes `config.example.toml` of the schema and the texts of the manual: `bun scripts/config-example.ts`, after a setting or its text changed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderExample } from "../src/config/manual.ts";

writeFileSync(join(import.meta.dir, "../config.example.toml"), renderExample("en"));
