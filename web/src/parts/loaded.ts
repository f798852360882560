// What is loaded, or shown, when it is asked for.

import { useEffect, useState } from "preact/hooks";

/** What a promise gives; undefined until it does, null where it fails. */
export function useLoaded<V>(load: () => Promise<V>, keys: readonly unknown[]): V | null | undefined {
  const [loaded, setLoaded] = useState<{ keys: readonly unknown[]; value: V | null }>();
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ keys, value }),
      () => current && setLoaded({ keys, value: null }),
    );
    return () => {
      current = false;
    };
  }, keys);
  return loaded && loaded.keys.every((key, at) => key === keys[at]) ? loaded.value : undefined;
}

/** A list that shows some rows until more is asked for. */
export function useShowMore(first: number): [number, () => void] {
  const [shown, setShown] = useState(first);
  return [shown, () => setShown((before) => before + 500)];
}
