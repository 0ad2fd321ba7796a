/**
 * Where two replies differ in the names or the JSON types of their fields, in words. `underWay`: what is null so far is a
 * matter of time.
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
  if (underWay && (was === 'null' || is === 'null')) return [];
  if (was !== is) return [`${path}: was ${was}, is ${is}`];
  if (was !== 'object' && was !== 'array') return [];
  const keys = new Set([...Object.keys(recorded), ...Object.keys(live)]);
  return [...keys]
    .filter((key) => was === 'object' || (key in recorded && key in live))
    .flatMap((key) =>
      compare(`${path}.${key}`, recorded[key], live[key], underWay),
    );
}

function typeOf(value) {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
