/**
 * What a live reply lacks of a recorded one, or has with another JSON type, in words. A field that is new, or was null, is
 * an addition, and no client minds those. `underWay`: what is null so far is a matter of time.
 */
export function differences(recorded, live, underWay) {
  if (recorded.status !== live.status)
    return [`status: was ${recorded.status}, is ${live.status}`];
  const [what, ...both] =
    recorded.chunks === undefined
      ? ['reply', recorded, live]
      : ['events', eventsOf(recorded.chunks), eventsOf(live.chunks)];
  return compare(what, ...both, underWay);
}

/** What comes of each kind of event; how many there are is a matter of time. */
function eventsOf(chunks = []) {
  const events = {};
  for (const chunk of chunks) {
    const fields = [...chunk.matchAll(/^(\w+): (.*)$/gm)].map((m) =>
      m.slice(1),
    );
    const { event, data, ...rest } = Object.fromEntries(fields);
    const shown = { ...rest, data: JSON.parse(data) };
    const kind = [event, shown.data.type, shown.data.data?.kind].join(' ');
    events[kind] ??= shown;
  }
  return events;
}

function compare(path, recorded, live, underWay) {
  const [was, is] = [typeOf(recorded), typeOf(live)];
  if (was === 'null' && is !== 'absent') return [];
  if (underWay && is === 'null') return [];
  if (was !== is) return [`${path}: was ${was}, is ${is}`];
  if (was !== 'object' && was !== 'array') return [];
  return Object.keys(recorded)
    .filter((key) => was === 'object' || key in live)
    .flatMap((key) =>
      compare(`${path}.${key}`, recorded[key], live[key], underWay),
    );
}

function typeOf(value) {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
