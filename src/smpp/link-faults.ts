/** Why there is no link, as an administrator understands it; the technical name follows in brackets. */
import { errorText } from "../base/log.ts";
import type { BindKind } from "./command.ts";
import { STATUS, statusLabel } from "./status.ts";

/** Where a connection leads to, as far as its faults speak of it. */
type Place = {
  readonly host: string;
  readonly port: number;
  readonly bind: BindKind;
  readonly tls: { readonly serverName: string } | null;
};

/** What a refused bind means, from its command_status. */
export function bindRefusalWords(status: number, { bind }: Pick<Place, "bind">): string {
  return `${refusalOf(status, bind)} (${statusLabel(status)})`;
}

function refusalOf(status: number, bind: BindKind): string {
  switch (status) {
    case STATUS.RINVPASWD:
      return "the operator refuses the password: check system_id and password";
    case STATUS.RINVSYSID:
      return "the operator does not know the system_id: check system_id and password";
    case STATUS.RINVSYSTYP:
      return "the operator refuses the system_type: check it";
    case STATUS.RBINDFAIL:
      return "the operator refuses the bind without saying why: it may be the password, the address we come from, or one bind too many";
    case STATUS.RALYBND:
      return "the operator says that this system_id is bound already: an earlier session has not ended there yet, or it allows no further one";
    case STATUS.RINVCMDID:
    case STATUS.RINVBNDSTS:
      return `the operator does not take a bind as ${bind}: try another kind of bind`;
    case STATUS.RSYSERR:
    case STATUS.RMSGQFUL:
    case STATUS.RTHROTTLED:
    case STATUS.RX_T_APPN:
      return "the operator cannot take the bind at present";
    default:
      return "the operator refuses the bind";
  }
}

/** What an error of the socket, of the name look-up or of TLS means. */
export function socketFaultWords(error: unknown, place: Place): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = meaningOf(code, place);
  return words === null ? errorText(error) : `${words} (${code})`;
}

function meaningOf(code: string, { host, port, tls }: Place): string | null {
  switch (code) {
    case "ECONNREFUSED":
      return `nothing listens at ${host} port ${port}`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NONAME":
      return `the name ${host} cannot be found`;
    case "ETIMEDOUT":
      return `${host} does not answer`;
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `there is no way to ${host}`;
    case "ECONNRESET":
    case "EPIPE":
      return "the operator cut the connection";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the operator's certificate does not carry the name ${tls?.serverName ?? host}`;
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "the operator's certificate is not valid at this date";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "the operator's certificate is from an authority that is not trusted here: see tls_ca_file";
    default:
      return null;
  }
}
