import type { Contract } from "../../api/contract.ts";

type FaultsProps = {
  readonly title: string;
  readonly faults: Contract["GET /configuration"]["answer"]["faults"];
};

/** What is wrong with the configuration file, each with the line that it is about. */
export function FileFaults({ title, faults }: FaultsProps) {
  return (
    <div class="error" role="status">
      <p class="error-title">{title}</p>
      <ul>
        {faults.map(({ text, line }) => (
          <li key={text}>
            {text}
            {line !== null && <code class="command">{line}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}
