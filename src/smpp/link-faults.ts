/** Why there is no link, as an administrator understands it, with the technical name. */
import { errorText } from "../core/log.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import type { BindKind } from "./command.ts";
import { STATUS, statusLabel } from "./status.ts";

/** Where a connection leads to, as far as its faults speak of it. */
type Place = {
  readonly host: string;
  readonly port: number;
  readonly bind: BindKind;
  readonly tls: { readonly serverName: string } | null;
};

/** What a refused bind means, by its command_status (SMPP 3.4 section 5.1.3). */
export function bindRefusal(status: number, { bind }: Pick<Place, "bind">): Phrase {
  const label = { status: statusLabel(status) };
  switch (status) {
    case STATUS.RINVPASWD:
      return phrase("link.bind_refused.password", label);
    case STATUS.RINVSYSID:
      return phrase("link.bind_refused.system_id", label);
    case STATUS.RINVSYSTYP:
      return phrase("link.bind_refused.system_type", label);
    case STATUS.RBINDFAIL:
      return phrase("link.bind_refused.unexplained", label);
    case STATUS.RALYBND:
      return phrase("link.bind_refused.bound_already", label);
    case STATUS.RINVCMDID:
    case STATUS.RINVBNDSTS:
      return phrase("link.bind_refused.kind", { ...label, bind });
    case STATUS.RSYSERR:
    case STATUS.RMSGQFUL:
    case STATUS.RTHROTTLED:
    case STATUS.RX_T_APPN:
      return phrase("link.bind_refused.not_now", label);
    default:
      return phrase("link.bind_refused.other", label);
  }
}

/** What an error of the socket, of the name look-up or of TLS means. */
export function socketFault(error: unknown, { host, port, tls }: Place): Phrase {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ECONNREFUSED":
      return phrase("link.nobody_listens", { host, port, error: code });
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NONAME":
      return phrase("link.no_name", { host, error: code });
    case "ETIMEDOUT":
      return phrase("link.no_answer", { host, error: code });
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return phrase("link.no_way", { host, error: code });
    case "ECONNRESET":
    case "EPIPE":
      return phrase("link.cut", { error: code });
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return phrase("link.certificate.name", { name: tls?.serverName ?? host, error: code });
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return phrase("link.certificate.date", { error: code });
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return phrase("link.certificate.authority", { error: code });
    default:
      return said(errorText(error));
  }
}
