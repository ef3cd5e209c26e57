/** The way to the page that gives an operator a further route. */
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { configure } from "../../words/configure.ts";

type Props = { readonly code: string; readonly hasRoutes: boolean };

/** A link, for those who may. */
export function AddRouteLink({ code, hasRoutes }: Props) {
  if (!may("settings.change")) return null;
  const { route } = configure.value;
  return (
    <a class="button" href={`${HOME}/settings/operators/${encodeURIComponent(code)}/route`}>
      {hasRoutes ? route.addOther : route.addSecond}
    </a>
  );
}
