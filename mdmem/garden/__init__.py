"""Plans, applies and reviews what the gardeners propose."""
