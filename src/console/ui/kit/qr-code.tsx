/** A text as a QR code. */
import { useEffect, useState } from "preact/hooks";

type Drawn = { readonly size: number; readonly path: string };

/** Light modules around the code, as readers need (ISO/IEC 18004 section 6.3.8). */
const QUIET = 4;

/** A text as a QR code. Its library is loaded when first needed; always dark on light, for cameras. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  useEffect(() => {
    void import("qrcode").then(({ create }) => {
      const { modules } = create(text, { errorCorrectionLevel: "M" });
      const dark = [...modules.data.keys()].filter((place) => modules.data[place]);
      const squares = dark.map(
        (place) => `M${(place % modules.size) + QUIET} ${Math.floor(place / modules.size) + QUIET}h1v1h-1z`,
      );
      setDrawn({ size: modules.size + 2 * QUIET, path: squares.join("") });
    });
  }, [text]);
  if (!drawn) return <div class="qr" />;
  return (
    <svg class="qr" viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={label}>
      <rect class="qr-light" width="100%" height="100%" />
      <path class="qr-dark" d={drawn.path} />
    </svg>
  );
}
