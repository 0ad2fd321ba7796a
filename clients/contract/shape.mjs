/**
 * Lists fields of a recorded reply that a live one lacks or has with another JSON type. New fields, and fields that
 * were null, are compatible additions. `underWay`: the live reply may still have null.
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

/** One event of each kind; their number depends on timing. */
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
