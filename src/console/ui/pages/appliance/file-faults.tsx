import type { Contract } from "../../api/contract.ts";
import { SettingKey } from "../../kit/setting-key.tsx";
import { appliance } from "../../words/appliance.ts";

type FaultsProps = {
  readonly title: string;
  readonly faults: Contract["GET /configuration"]["answer"]["faults"];
  readonly isFolded?: boolean;
};

/** What is wrong with the configuration file, each with the line that it is about. */
export function FileFaults({ title, faults, isFolded = false }: FaultsProps) {
  const list = (
    <ul>
      {faults.map(({ text, key, line }) => (
        <li key={`${key} ${text}`}>
          {key !== null && (
            <>
              <SettingKey of={key} />
              {" : "}
            </>
          )}
          {text}
          {line !== null && <code class="command">{line}</code>}
        </li>
      ))}
    </ul>
  );
  return (
    <div class="error" role="status">
      <p class="error-title">{title}</p>
      {isFolded ? (
        <details>
          <summary>{appliance.value.audit.detail}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </div>
  );
}
