// The posts that a file is a block of: when, by whom, under which license, and where to read them.

import type { Audit } from "../data/audit/audit";
import { externalLink } from "../external-link";
import { Path } from "../parts/labels";
import { useLoaded, useShowMore } from "../parts/loaded";
import { dayOf, OutLink } from "../parts/places";
import { licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { A } from "../text";

export function Posts({ audit, fragment }: { audit: Audit; fragment: number }) {
  const evidence = useLoaded(() => audit.evidence(fragment), [fragment]);
  const [shown, showMore] = useShowMore(5);
  const posts = evidence?.places.filter((place) => place.evidence === "post-time") ?? [];
  if (posts.length === 0) return null;
  return (
    <section class="posts">
      <h2>{A.post}</h2>
      {posts.slice(0, shown).map((post, at) => (
        <dl key={at} class="post">
          <div><dt>{visible(post.project)}</dt><dd><Path path={post.path} /></dd></div>
          <div><dt>{A.postDate}</dt><dd>{dayOf(post.first_seen)}</dd></div>
          {post.author && <div><dt>{A.postBy}</dt><dd>{visible(post.author)}</dd></div>}
          <div><dt>{A.postLicense}</dt><dd>{licenseText(post.license ?? audit.license(fragment))}</dd></div>
          {externalLink(post.link) && <div><dt /><dd><OutLink link={post.link} text={A.postOpen} /></dd></div>}
        </dl>
      ))}
      {posts.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(posts.length - shown)}</button>}
    </section>
  );
}
