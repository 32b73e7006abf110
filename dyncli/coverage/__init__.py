"""Running a model over many inputs: in processes of its own, on one machine or on a Dask cluster."""
