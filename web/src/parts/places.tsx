// Where code stands elsewhere, since when, and how that is known.

import type { Place } from "../data/audit/model";
import { externalLink } from "../external-link";
import { A } from "../text";
import { visible } from "./visible";

/** The day of a time, or that there is none. */
export const dayOf = (time: string | null | undefined) => (time ? visible(time.slice(0, 10)) : A.unknownTime);

/** From when until when a place is known to have had it. */
export const seenText = (place: Place, isHere = false) =>
  `${dayOf(place.first_seen)}${place.last_seen ? ` – ${dayOf(place.last_seen)}` : isHere ? ` – ${A.stillThere}` : ""}`;

export const evidenceText = (evidence: string) => A.evidence[evidence] ?? visible(evidence);

/** A link that leads out of the report, where it may be followed. */
export function OutLink({ link, text }: { link: string | undefined; text: string }) {
  const address = externalLink(link);
  return address ? (
    <a href={address} rel="noopener noreferrer" target="_blank" title={visible(address)}>{text} ↗</a>
  ) : null;
}

/** Where a blob stands, and since when. */
export function PlaceTable({ places, here }: { places: Place[]; here?: (place: number) => boolean }) {
  const { placeColumns } = A;
  const names = [placeColumns.project, placeColumns.path, placeColumns.revision, placeColumns.seen, placeColumns.rests];
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label={A.places(places.length)}>
      <table class="places">
        <thead>
          <tr>{names.map((name) => <th key={name} scope="col">{name}</th>)}</tr>
        </thead>
        <tbody>
          {places.map((place, at) => (
            <tr key={at} class={here?.(at) ? "here" : undefined}>
              <td class="named">{visible(place.project)}{here?.(at) && <span class="chip">{A.timelineHere}</span>}{place.author && <span class="muted"> {visible(place.author)}</span>}</td>
              <td class="where">{visible(place.path)}{place.first_line > 1 && `:${place.first_line}`} <OutLink link={place.link} text={A.placeOpen} /></td>
              <td class="revision" title={visible(place.revision ?? "")}>{visible((place.purl ?? place.revision ?? "").slice(0, place.purl ? undefined : 12))}</td>
              <td class="nowrap">{seenText(place)}</td>
              <td>{evidenceText(place.evidence)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
