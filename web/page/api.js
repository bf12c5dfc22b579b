// Requests to the server.

// lost reports whether an error is that no server answered, or not to the end.
export function lost(error) {
  return error.unfinished === true;
}

// reached returns what a server answers. If there is none, browsers throw a TypeError, as mistakes of
// the page are, so that it is told apart here.
async function reached(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TypeError) error.unfinished = true;
    throw error;
  }
}

// failure is an error that the server tells of, and whether it is that the network is a language
// model, or that the user's words cannot be read.
function failure({ error, predicts, data }) {
  return Object.assign(new Error(error), { predicts, data });
}

async function problem(response) {
  const text = await response.text();
  try {
    return failure(JSON.parse(text));
  } catch {
    return new Error(text.trim() || response.statusText);
  }
}

export async function get(path, params = '', signal) {
  const response = await reached(fetch(`api/${path}?${params}`, { signal }));
  if (!response.ok) throw await problem(response);
  return reached(response.json());
}

export async function post(path, form) {
  const response = await reached(fetch(`api/${path}`, { method: 'POST', body: form }));
  if (!response.ok) throw await problem(response);
  return reached(response.json());
}

// stream reads a line of JSON at a time, tells of progress and returns the result.
export async function stream(path, params, tell, signal) {
  const response = await reached(fetch(`api/${path}?${params}`, { signal, headers: { Accept: 'application/x-ndjson' } }));
  if (!response.ok) throw await problem(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reached(reader.read());
    if (done) throw Object.assign(new Error('the server ended before its answer did'), { unfinished: true });
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.error) throw failure(message);
      if ('result' in message) return message.result;
      tell(message.progress);
    }
  }
}

// byHand is why a request ended that the reader stopped.
export const byHand = Symbol('stopped');

// latest returns a function that runs one request at a time: calls during a request
// become one more request after it, so that a slider is followed as fast as answers
// come and never further behind. A request that takes long is given up for the next.
export function latest(run) {
  const long = 400; // milliseconds
  let controller = null;
  let again = false;
  let begun = 0;
  return async function call() {
    if (controller) {
      again = true;
      if (performance.now() - begun > long) controller.abort();
      return;
    }
    do {
      again = false;
      controller = new AbortController();
      begun = performance.now();
      const watch = setInterval(() => again && performance.now() - begun > long && controller.abort(), 100);
      try {
        await run(controller.signal, () => controller.abort(byHand));
      } finally {
        clearInterval(watch);
        controller = null;
      }
    } while (again);
  };
}

// newest returns a function that cancels its last call when it is called again. What takes the
// server long begins only when nobody has called for a while: a slider that moves needs both. Its stop cancels without another call.
export function newest(run, rest = 0) {
  let controller;
  const stop = () => controller?.abort();
  const call = async (...args) => {
    stop();
    controller = new AbortController();
    const { signal } = controller;
    if (rest) await new Promise((done) => setTimeout(done, rest));
    if (signal.aborted) return;
    try {
      await run(signal, ...args);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return Object.assign(call, { stop });
}
