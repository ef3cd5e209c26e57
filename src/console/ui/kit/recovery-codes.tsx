/** Recovery codes, which are shown once. */
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type CodesProps = { readonly codes: readonly string[]; readonly onKept: () => unknown };

/** The codes to print or to write down, and a button that says that this was done. */
export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const { link } = words.value;
  return (
    <>
      <p>{link.codesHint}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button onPress={() => print()}>{link.print}</Button>
        <Button kind="primary" onPress={onKept}>
          {link.codesKept}
        </Button>
      </div>
    </>
  );
}

type DialogProps = Pick<CodesProps, "codes"> & { readonly title: string; readonly onClose: () => void };

/** The same over a page. */
export function RecoveryCodesDialog({ title, codes, onClose }: DialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <RecoveryCodes codes={codes} onKept={onClose} />
    </Dialog>
  );
}
