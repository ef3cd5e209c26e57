import { Facts } from "../../kit/facts.tsx";
import { Section } from "../../kit/kit.ts";
import { appliance } from "../../words/appliance.ts";
import { figures } from "../../words/words.ts";
import type { ShownAppliance } from "./state.tsx";

/** What the disk holds, and when it is full. */
export function Sizes({ storage }: Pick<ShownAppliance, "storage">) {
  const { appliance: words } = appliance.value;
  const { bytes_a_day: growth, full_at: full } = storage;
  const outlook =
    growth === null ? words.unknown : full === null ? words.never : words.full({ time: figures.time(full) });
  return (
    <Section title={words.storage}>
      <Facts
        rows={[
          [words.database, figures.bytes(storage.bytes)],
          [words.log, figures.bytes(storage.log_bytes)],
          [words.disk, figures.bytes(storage.disk_free_bytes)],
          [words.reserve, figures.bytes(storage.reserve_bytes)],
        ]}
      />
      <p>{outlook}</p>
    </Section>
  );
}
