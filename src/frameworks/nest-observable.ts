interface Observer {
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

interface Observable {
  subscribe(observer: Observer): unknown;
}

/** An observable like the given one that calls `observe` with what it fails with. RxJS comes from the application. */
export function observeErrors<T>(source: T, observe: (error: unknown) => void): T {
  const observable = source as Observable;
  const ObservableClass = observable.constructor as new (subscribe: (subscriber: Observer) => unknown) => unknown;
  return new ObservableClass((subscriber) =>
    observable.subscribe({
      next: (value) => subscriber.next(value),
      error: (error) => {
        observe(error);
        subscriber.error(error);
      },
      complete: () => subscriber.complete(),
    }),
  ) as T;
}
