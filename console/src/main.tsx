import { render } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import { App } from './app';
import { loadService, service } from './api/session';
import { ErrorNote } from './ui/error-note';
import './styles/base.css';
import './styles/controls.css';
import './styles/report.css';
import './styles/screens.css';

/** Nothing can be shown before it is known whether a key is needed. */
function Start() {
  const [error, setError] = useState<unknown>();
  const load = (): void => {
    setError(undefined);
    loadService().catch(setError);
  };
  useEffect(load, []);
  if (service.value) return <App />;
  return (
    <main class="narrow">
      <ErrorNote error={error} onRetry={load} />
    </main>
  );
}

render(<Start />, document.getElementById('console')!);
